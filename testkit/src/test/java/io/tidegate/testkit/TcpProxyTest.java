package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TcpProxyTest {

  /** For answers that must come; a busy machine may need long. */
  private static final Duration LONG = Duration.ofSeconds(30);

  /** For answers that must not come; without the fault they take 1 ms. */
  private static final Duration SHORT = Duration.ofMillis(300);

  private static RedisServer server;
  private TcpProxy proxy;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @BeforeEach
  void startProxy() {
    server.call("FLUSHALL");
    proxy = TcpProxy.start(server.port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  private Resp connect(Duration timeout) throws IOException {
    return new Resp(proxy.port(), timeout);
  }

  @Test
  void forwardsBothWays() throws IOException {
    try (Resp client = connect(LONG)) {
      assertThat(client.call("PING")).containsExactly("PONG");
      assertThat(proxy.bytesForwarded())
          .isEqualTo("*1\r\n$4\r\nPING\r\n".length() + "+PONG\r\n".length());
      assertThat(proxy.connections()).isEqualTo(1);
    }
    assertThat(Waiting.until(LONG, () -> proxy.connections() == 0)).isTrue();
  }

  @Test
  void forwardsMoreThanItBuffers() throws IOException {
    String large = "0123456789".repeat(2_000_000);
    try (Resp client = connect(LONG)) {
      proxy.latency(Duration.ofMillis(20));
      client.call("SET", "key", large);
      assertThat(client.call("GET", "key")).containsExactly(large);
    }
  }

  @Test
  void forwardsTheLossOfTheServer() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        TcpProxy own = TcpProxy.start(mortal.port());
        Resp client = new Resp(own.port(), LONG)) {
      client.call("PING");
      mortal.kill();
      assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void latencyDelaysEachDirection() throws IOException {
    try (Resp client = connect(LONG)) {
      client.call("PING");
      proxy.latency(Duration.ofMillis(100));
      long startNanos = System.nanoTime();
      client.call("PING");
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isBetween(Duration.ofMillis(200), Duration.ofSeconds(10));
    }
  }

  @Test
  void bytesInFlightShareTheLatencyAndKeepTheirOrder() throws IOException {
    int calls = 300;
    try (Resp client = connect(LONG)) {
      client.call("PING");
      proxy.latency(Duration.ofMillis(100));
      long startNanos = System.nanoTime();
      for (int i = 1; i <= calls; i++) {
        client.send("INCR", "count");
      }
      for (int i = 1; i <= calls; i++) {
        assertThat(client.receive()).containsExactly(Integer.toString(i));
      }
      // One after the other, they would take a minute.
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void healingSpeedsUpBytesInFlight() throws IOException {
    try (Resp client = connect(LONG)) {
      client.call("PING");
      proxy.latency(Duration.ofHours(1));
      client.send("PING");
      proxy.heal();
      assertThat(client.receive()).containsExactly("PONG");
    }
  }

  @Test
  void blackHoleDelaysBytesAndLosesNone() throws IOException {
    try (Resp client = connect(SHORT)) {
      client.call("PING");
      proxy.blackHole(true);
      for (int i = 0; i < 3; i++) {
        client.send("INCR", "count");
      }
      assertThatThrownBy(client::receive).isInstanceOf(SocketTimeoutException.class);
      assertThat(server.call("GET", "count")).isEmpty();

      try (Resp another = connect(LONG)) {
        another.send("PING");
        proxy.heal();
        assertThat(another.receive()).containsExactly("PONG");
      }
      assertThat(Waiting.until(LONG, () -> server.call("GET", "count").contains("3")))
          .isTrue();
      for (int i = 1; i <= 3; i++) {
        assertThat(client.receive()).containsExactly(Integer.toString(i));
      }
      assertThat(client.call("PING")).containsExactly("PONG");
    }
  }

  @Test
  void blackHoleHidesTheDeathOfTheServer() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        TcpProxy own = TcpProxy.start(mortal.port());
        Resp client = new Resp(own.port(), SHORT)) {
      client.call("PING");
      own.blackHole(true);
      mortal.kill();
      assertThatThrownBy(() -> client.call("PING")).isInstanceOf(SocketTimeoutException.class);
      own.heal();
      assertThatThrownBy(() -> client.call("PING"))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void halfOpenConnectionNeverAnswersWhileANewOneDoes() throws IOException {
    try (Resp client = connect(SHORT)) {
      client.call("PING");
      proxy.halfOpen();
      assertThatThrownBy(() -> client.call("INCR", "count"))
          .isInstanceOf(SocketTimeoutException.class);
      try (Resp another = connect(LONG)) {
        assertThat(another.call("GET", "count")).isEmpty();
      }
      proxy.heal();
      assertThatThrownBy(() -> client.call("INCR", "count"))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(server.call("GET", "count")).isEmpty();
    }
    assertThat(Waiting.until(LONG, () -> proxy.connections() == 0)).isTrue();
  }

  @Test
  void halfOpenConnectionAcceptsAllBytes() throws IOException {
    String large = "0123456789".repeat(2_000_000);
    try (Resp client = connect(SHORT)) {
      client.call("PING");
      proxy.halfOpen();
      client.send("SET", "key", large); // more than socket buffers hold
    }
  }

  @Test
  void resetBreaksConnectionsWhileANewOneWorks() throws IOException {
    try (Resp client = connect(LONG)) {
      client.call("PING");
      client.send("BLPOP", "list", "0");
      proxy.reset();
      assertThatThrownBy(client::receive)
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
      assertThat(proxy.connections()).isZero();
      try (Resp another = connect(LONG)) {
        assertThat(another.call("PING")).containsExactly("PONG");
      }
    }
  }

  @Test
  void refusesAndAcceptsAgainOnTheSamePort() throws IOException {
    int port = proxy.port();
    try (Resp client = connect(LONG)) {
      client.call("PING");
      proxy.refuse(true);
      assertThatThrownBy(() -> connect(LONG)).isInstanceOf(ConnectException.class);
      assertThat(client.call("PING")).containsExactly("PONG");

      proxy.refuse(false);
      assertThat(proxy.port()).isEqualTo(port);
      try (Resp another = connect(LONG)) {
        assertThat(another.call("PING")).containsExactly("PONG");
      }
    }
  }

  @Test
  void noConnectionIsAcceptedAfterRefuse() throws IOException {
    // A closed socket accepts connections until its thread has ended.
    for (int i = 0; i < 200; i++) {
      proxy.refuse(true);
      assertThatThrownBy(() -> connect(LONG)).isInstanceOf(ConnectException.class);
      proxy.refuse(false);
    }
  }

  @Test
  void clientsOfADeadServerAreReset() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        TcpProxy own = TcpProxy.start(mortal.port())) {
      mortal.kill();
      assertThatThrownBy(() -> {
            try (Resp client = new Resp(own.port(), LONG)) {
              client.call("PING");
            }
          })
          .isInstanceOf(IOException.class);
      mortal.restart();
      try (Resp client = new Resp(own.port(), LONG)) {
        assertThat(client.call("PING")).containsExactly("PONG");
      }
    }
  }

  @Test
  void closesDuringFaults() throws IOException {
    proxy.latency(Duration.ofHours(1));
    try (Resp slow = connect(LONG)) {
      slow.send("PING");
      proxy.blackHole(true);
      try (Resp held = connect(LONG)) {
        held.send("PING");
        proxy.close();
        assertThatThrownBy(held::receive).isInstanceOf(IOException.class);
        assertThatThrownBy(slow::receive).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> connect(LONG)).isInstanceOf(ConnectException.class);
      }
    }
    Waiting.await(
        "the end of all threads of the proxy",
        () -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("tidegate-proxy-" + proxy.port())));
  }
}
