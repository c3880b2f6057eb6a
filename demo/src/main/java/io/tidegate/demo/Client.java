package io.tidegate.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A client of the public API with what a load balancer adds: a request that a node does not answer
 * is sent to the other node of its region. Thread-safe.
 */
final class Client {

  /** A request waits at most 300 ms for Redis; the rest is for busy machines. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

  /** More than any count, so that a peek shows all of it. */
  private static final long UNLIMITED = 1_000_000_000_000L;

  /**
   * A decision.
   *
   * @param resetMillis the end of the cell in which it was made
   */
  record Answer(boolean allowed, long remaining, long resetMillis, boolean degraded) {}

  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(TIMEOUT)
      .build();

  private final String rootKey;
  private final LongAdder retried = new LongAdder();

  Client(String rootKey) {
    this.rootKey = rootKey;
  }

  /** Requests that the second node answered. */
  long retried() {
    return retried.sum();
  }

  /**
   * Requests one token.
   *
   * @param first index of the node that is asked first
   * @return fails only if no node of the region answers
   */
  CompletableFuture<Answer> take(Region region, int first, String identifier, long limit) {
    String body = body(identifier, limit, 1);
    List<Node> candidates = region.candidates(first);
    return decide(candidates.get(0), body).exceptionallyCompose(failure -> {
      retried.increment();
      return decide(candidates.get(1), body);
    });
  }

  /** The count by which a node would decide. */
  CompletableFuture<Long> count(Node node, String identifier) {
    return decide(node, body(identifier, UNLIMITED, 0))
        .thenApply(answer -> UNLIMITED - answer.remaining());
  }

  /** What a node says at {@code /ready}; null if it does not answer. */
  CompletableFuture<@Nullable Health> health(Node node) {
    URI uri = URI.create("http://127.0.0.1:" + node.adminPort() + "/ready");
    return http.sendAsync(
            HttpRequest.newBuilder(uri).timeout(PROBE_TIMEOUT).build(), BodyHandlers.ofString())
        .<@Nullable Health>thenApply(response -> Health.parse(response.body()))
        .exceptionally(failure -> null);
  }

  /** Whether a node serves the console on its admin port; not all builds do. */
  CompletableFuture<Boolean> hasConsole(Node node) {
    URI uri = URI.create("http://127.0.0.1:" + node.adminPort() + "/console/");
    return http.sendAsync(
            HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), BodyHandlers.discarding())
        .handle((response, failure) -> failure == null && response.statusCode() == 200);
  }

  private static String body(String identifier, long limit, long cost) {
    return Json.write(Json.object(
        "namespace", "api",
        "identifier", identifier,
        "limit", limit,
        "duration", User.WINDOW_MILLIS,
        "cost", cost));
  }

  private CompletableFuture<Answer> decide(Node node, String body) {
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + node.apiPort() + "/v2/ratelimit.limit"))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + rootKey)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenCompose(Client::answer)
        .whenComplete((answer, failure) -> {
          if (failure != null) {
            node.failed();
          }
        });
  }

  private static CompletableFuture<Answer> answer(HttpResponse<String> response) {
    if (response.statusCode() != 200) {
      return CompletableFuture.failedFuture(
          new IOException("status " + response.statusCode() + ": " + response.body()));
    }
    Map<String, @Nullable Object> data = Json.member(Json.parse(response.body()), "data");
    return CompletableFuture.completedFuture(new Answer(
        Boolean.TRUE.equals(data.get("success")),
        number(data.get("remaining")),
        number(data.get("reset")),
        Boolean.TRUE.equals(data.get("degraded"))));
  }

  private static long number(@Nullable Object value) {
    if (value instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("no number: " + value);
  }
}
