package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.LimiterStats;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(1_000));
  private final Health health = new Health(time);
  private final Metrics metrics = new Metrics("test", "eu", "node-1", health);
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private AdminServer admin;

  @BeforeEach
  void start() throws Exception {
    health.watch(new InMemoryOrigin());
    admin =
        AdminServer.start(vertx, "127.0.0.1", 0, metrics, health, null).await(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    metrics.close();
  }

  @Test
  void startingNodeIsNotReady() throws Exception {
    HttpResponse<String> response = get("/ready");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body()).isEqualTo("""
        {"ready":false,"status":"starting","dependencies":{"catalog":{"status":"unknown"},\
        "origin":{"status":"unknown"},"global_counters":{"status":"unused"}}}
        """);
  }

  @Test
  void nodeWithAFailingOriginIsReadyAndDegraded() throws Exception {
    health.catalogRead(1);
    metrics.limiter().originFailed(OriginOperation.READ_COLD, CallFailure.TIMEOUT);
    time.advance(Duration.ofMillis(42_700));
    HttpResponse<String> response = get("/ready");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("""
        {"ready":true,"status":"degraded","dependencies":{"catalog":{"status":"ok"},\
        "origin":{"status":"degraded","reason":"timeout","degradedForSeconds":42},\
        "global_counters":{"status":"unused"}}}
        """);
  }

  @Test
  void regionNameConflictIsShownAndKeepsTheNodeReady() throws Exception {
    health.catalogRead(1);
    assertThat(get("/ready").body()).doesNotContain("regionNameConflict");
    metrics.limiter().regionNameConflict("eu");
    HttpResponse<String> response = get("/ready");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .contains(
            "\"status\":\"degraded\",\"regionNameConflict\":\"another region uses the same name");
  }

  @Test
  void stoppingNodeIsAliveAndNotReady() throws Exception {
    health.catalogRead(1);
    assertThat(get("/ready").statusCode()).isEqualTo(200);
    health.stopping();

    assertThat(get("/ready").statusCode()).isEqualTo(503);
    assertThat(get("/ready").body()).contains("\"status\":\"stopping\"");
    assertThat(get("/live").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/live", "/v2/liveness", "/live?verbose=1"})
  void nodeIsAliveWhileItAnswers(String path) throws Exception {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"status\":\"alive\"}\n");
  }

  @Test
  void metricsAreForPrometheus() throws Exception {
    metrics.http().route("/v2/ratelimit.limit").answered(200, 1_000);
    HttpResponse<String> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(response.body())
        .contains("# TYPE tidegate_http_requests_total counter\n")
        .contains(
            "tidegate_http_requests_total{route=\"/v2/ratelimit.limit\",status=\"200\"} 1.0\n")
        .contains("# TYPE tidegate_http_request_seconds histogram\n")
        .contains("jvm_memory_used_bytes")
        .contains("process_uptime_seconds");
  }

  @Test
  void manyScrapersAreAllAnswered() {
    List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 20)
        .mapToObj(i -> client.sendAsync(request("/metrics").build(), BodyHandlers.ofString()))
        .toList();

    assertThat(answers)
        .allSatisfy(answer ->
            assertThat(answer.get(30, TimeUnit.SECONDS).body()).contains("tidegate_ready 0.0"));
  }

  @Test
  void liveNodesAreShownOnceTheyAreKnown() throws Exception {
    assertThat(get("/ready").body()).doesNotContain("liveNodes");
    bind(3, Optional.empty(), false);
    assertThat(get("/ready").body()).contains("\"liveNodes\":3,").doesNotContain("reading");
  }

  @Test
  void readerIsShownWithGlobalCounters() throws Exception {
    assertThat(get("/ready").body()).doesNotContain("reader").doesNotContain("reading");
    health.watch(new InMemoryGlobalCounters());
    assertThat(get("/ready").body()).contains("\"reader\":null,\"reading\":false,");
    bind(3, Optional.of("9f2c1k"), false);
    assertThat(get("/ready").body())
        .contains("\"liveNodes\":3,\"reader\":\"9f2c1k\",\"reading\":false,\"dependencies\"");
    bind(3, Optional.of("9f2c1k"), true);
    assertThat(get("/ready").body()).contains("\"reader\":\"9f2c1k\",\"reading\":true,");
  }

  private void bind(int liveNodes, Optional<String> reader, boolean reading) {
    metrics.bind(
        () -> new LimiterStats(1, 0, 0, 0, 0, 0, -1, -1, 0, 0, false, liveNodes, reader, reading));
  }

  @Test
  void failedScrapeIsAnError() throws Exception {
    metrics.bind(() -> {
      throw new IllegalStateException("no figures, for a test");
    });

    assertThat(get("/metrics").statusCode()).isEqualTo(500);
    assertThat(get("/metrics").body()).doesNotContain("for a test");
    bind(0, Optional.empty(), false);
    assertThat(get("/metrics").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/metrics/", "//metrics", "/ready/x", "/v2/ratelimit.limit", "/%00"})
  void otherPathsAreNotFound(String path) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACK"})
  void onlyGetIsAllowed(String method) throws Exception {
    HttpResponse<String> response =
        send(request("/ready").method(method, BodyPublishers.noBody()).build());

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue("GET");
  }

  @Test
  void bodyIsRejectedUnread() throws Exception {
    assertThat(raw("GET /ready HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
    assertThat(
            raw("GET /ready HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void longHeadersAreRejected() throws Exception {
    assertThat(raw("GET /ready HTTP/1.1\r\nHost: a\r\nX-Long: " + "a".repeat(9_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
    assertThat(raw("GET /ready?" + "a".repeat(2_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"))
        .contains(" 414 ");
  }

  @Test
  void closedServerDoesNotAnswer() throws Exception {
    get("/live");
    admin.close().await(10, TimeUnit.SECONDS);

    assertThatThrownBy(() -> get("/live")).isInstanceOf(IOException.class);
  }

  /** Sends bytes and reads until the server closes the connection. */
  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      InputStream answer = socket.getInputStream();
      return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path).build());
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + path))
        .timeout(Duration.ofSeconds(30));
  }
}
