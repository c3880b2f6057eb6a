package com.example.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The application on a random port, with its own configuration. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class QuotesApplicationTest {

  private final HttpClient client = HttpClient.newHttpClient();

  @LocalServerPort
  private int port;

  @Test
  void eachKeyHasTenQuotesPerMinute() {
    assertThat(statuses(50, get("alice"))).containsExactly(statusesOf(10, 40));
    assertThat(statuses(50, get("bob"))).containsExactly(statusesOf(10, 40));
  }

  @Test
  void eachAddressHasThreeOrdersPerHour() {
    HttpRequest order = request("/orders").POST(BodyPublishers.noBody()).build();
    assertThat(statuses(5, order)).containsExactly(statusesOf(3, 2));
  }

  @Test
  void aDenialSaysWhenToRetry() throws IOException, InterruptedException {
    statuses(10, get("carol"));
    HttpResponse<String> denial = client.send(get("carol"), BodyHandlers.ofString());
    assertThat(denial.statusCode()).isEqualTo(429);
    assertThat(denial.headers().firstValueAsLong("Retry-After")).isPresent();
    assertThat(denial.headers().firstValue("RateLimit-Policy"))
        .hasValueSatisfying(policy -> assertThat(policy).contains("\"quotes\"", "q=10", "w=60"));
    assertThat(denial.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  private HttpRequest get(String key) {
    return request("/quotes/ACME").header("X-Api-Key", key).build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  /** Sends all requests at once, and sorts the statuses. */
  private List<Integer> statuses(int requests, HttpRequest request) {
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      answers.add(
          client.sendAsync(request, BodyHandlers.discarding()).thenApply(HttpResponse::statusCode));
    }
    return answers.stream().map(CompletableFuture::join).sorted().toList();
  }

  private static Integer[] statusesOf(int allowed, int denied) {
    return Stream.concat(
            Stream.generate(() -> 200).limit(allowed),
            Stream.generate(() -> 429).limit(denied))
        .toArray(Integer[]::new);
  }
}
