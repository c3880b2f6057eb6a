package io.tidegate.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import io.tidegate.benchmarks.load.LoadGenerator.Connector;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpRequestsTest {

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile long delayMillis;
  private HttpServer server;

  /** Another implementation of HTTP, with one thread, so that requests queue. */
  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      paths.add(exchange.getRequestURI().getPath());
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      Threads.sleep(delayMillis);
      byte[] answer = "answer".repeat(bodies.size()).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void everyRequestIsAnsweredAndEveryKeyComesUp() throws IOException {
    Outcome outcome = run(3, 10, 1, 0, 10_000, 10);
    assertThat(outcome.requests()).isEqualTo(10);
    assertThat(outcome.seconds()).isPositive();
    assertThat(outcome.micros().p50()).isPositive();
    assertThat(paths).containsOnly("/v2/ratelimit.limit");
    assertThat(bodies)
        .hasSize(10)
        .doesNotHaveDuplicates()
        .contains("{\"namespace\":\"bench\",\"identifier\":\"user_000007\",\"limit\":1000000000,"
            + "\"duration\":60000}");
  }

  @Test
  void batchesHaveEachKeyOnce() throws IOException {
    run(1, 40, 20, 0, 10_000, 2);
    assertThat(paths).containsOnly("/v2/ratelimit.multiLimit");
    assertThat(String.join("", bodies).split("user_0000\\d\\d", -1)).hasSize(1 + 40);
    assertThat(bodies.get(0)).startsWith("[{").endsWith("}]").isNotEqualTo(bodies.get(1));
  }

  @Test
  void latencyCountsFromWhenARequestWasDue() throws IOException {
    delayMillis = 20;
    Outcome outcome = run(1, 1, 1, 1_000, 10_000, 10);
    assertThat(outcome.micros().max())
        .as("ten answers of 20 ms each, all due within 9 ms")
        .isGreaterThan(190_000);
    assertThat(outcome.delayMicros().max()).isGreaterThan(170_000);
  }

  @Test
  void aRateIsKept() throws IOException {
    Outcome outcome = run(4, 1, 1, 100, 500, 1_000);
    assertThat(outcome.requests()).isEqualTo(50);
    assertThat(outcome.seconds()).isGreaterThan(0.48);
  }

  @Test
  void anAnswerThatIsNotOkFails() {
    status = 429;
    assertThatThrownBy(() -> run(1, 1, 1, 0, 10_000, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("429");
  }

  private Outcome run(int connections, int keys, int batch, int perSecond, int millis, long most)
      throws IOException {
    int port = server.getAddress().getPort();
    HttpRequests requests = HttpRequests.limits(new TidegateProcess.Address(port, 0, "key"), batch);
    Connector connector = requests.connector(keys, Refusals.FAIL);
    return LoadGenerator.run(new Order(perSecond, millis, most), connections, connector);
  }
}
