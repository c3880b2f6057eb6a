package io.tidegate.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.OpenLoad.Order;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenLoadTest {

  private final AtomicInteger received = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile int status = 200;
  private volatile String answer = "{}";
  private volatile long delayMillis;
  private HttpServer server;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      received.incrementAndGet();
      Threads.sleep(delayMillis);
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    port = server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void everyRequestIsAnswered() throws IOException {
    try (OpenLoad load = load(1_000)) {
      Interval run = load.run(1_000, 500);
      Interval rest = load.drain();
      assertThat(run.offered()).isBetween(350L, 650L);
      assertThat(run.answered() + rest.answered())
          .isEqualTo(run.offered())
          .isEqualTo(received.get());
      assertThat(run.connections()).isBetween(1, 1_000);
      assertThat(run.micros().p50()).isPositive();
    }
  }

  @Test
  void aLoadGoesOnInTheNextInterval() throws IOException {
    try (OpenLoad load = load(1_000)) {
      Interval first = load.run(300, 500);
      Interval second = load.run(300, 500);
      Interval rest = load.drain();
      assertThat(second.offered()).isPositive();
      assertThat(first.answered() + second.answered() + rest.answered())
          .isEqualTo(first.offered() + second.offered());
    }
  }

  @Test
  void requestsBeyondTheConnectionsAreNotSent() throws IOException {
    delayMillis = 100;
    try (OpenLoad load = load(2)) {
      Interval run = load.run(1_000, 1_000);
      Interval rest = load.drain();
      assertThat(run.connections()).isEqualTo(2);
      assertThat(received.get()).isBetween(2, 22);
      assertThat(run.answered() + rest.answered()).isEqualTo(received.get());
      assertThat(run.unsent()).isEqualTo(run.offered() - received.get());
    }
  }

  @Test
  void latencyCountsFromWhenARequestWasDue() throws IOException {
    delayMillis = 50;
    try (OpenLoad load = load(100)) {
      assertThat(load.run(1_000, 50).micros().p50()).isGreaterThan(50_000);
    }
  }

  @Test
  void unavailableServersAreCountedAndTheirConnectionsUsedAgain() throws IOException {
    status = 503;
    try (OpenLoad load = load(4)) {
      Interval run = load.run(500, 500);
      assertThat(run.unavailable()).isPositive();
      assertThat(run.answered()).isZero();
      assertThat(run.connections()).isLessThanOrEqualTo(4);
      assertThat(load.firstFailure()).isEmpty();
    }
  }

  @Test
  void otherAnswersAreFailuresWithTheirText() throws IOException {
    status = 401;
    try (OpenLoad load = load(4)) {
      assertThat(load.run(500, 200).failed()).isPositive();
      assertThat(load.firstFailure()).startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void degradedAnswersAreCounted() throws IOException {
    answer = "{\"data\":{\"success\":true,\"degraded\":true}}";
    try (OpenLoad load = load(4)) {
      Interval run = load.run(500, 200);
      assertThat(run.degraded()).isEqualTo(run.answered()).isPositive();
    }
  }

  @Test
  void refusedConnectionsAreCounted() throws IOException {
    server.stop(0);
    try (OpenLoad load = load(1_000)) {
      Interval run = load.run(500, 200);
      assertThat(run.closed() + load.drain().closed()).isEqualTo(run.offered()).isPositive();
      assertThat(load.run(0, 200).connections()).isZero();
    }
  }

  @Test
  void aServerThatComesBackIsUsedAgain() throws IOException {
    try (OpenLoad load = load(4)) {
      load.run(300, 200);
      server.stop(0);
      load.run(300, 200);
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext("/", exchange -> {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
      });
      server.start();
      Interval back = load.run(1_000, 200);
      assertThat(back.answered()).isPositive();
    }
  }

  @Test
  void aSilentServerTimesOut() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = silent.getLocalPort();
      try (OpenLoad load = load(5)) {
        Interval run = load.run(500, 50);
        Interval rest = load.drain();
        long timedOut = run.timedOut() + rest.timedOut();
        assertThat(timedOut + run.unsent()).isEqualTo(run.offered());
        assertThat(timedOut).isGreaterThanOrEqualTo(5);
        assertThat(rest.connections()).isZero();
      }
    }
  }

  private OpenLoad load(int connections) throws IOException {
    HttpRequests requests = HttpRequests.post(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        "127.0.0.1",
        "/",
        List.of(),
        PreparedRequest.KEY);
    PreparedRequest request = PreparedRequest.cycling(requests.text(), 10);
    return new OpenLoad(new Order(requests.server(), request, connections, 100_000));
  }
}
