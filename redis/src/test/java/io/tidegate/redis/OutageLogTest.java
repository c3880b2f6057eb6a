package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every line about an outage of Redis is followed by one about its end. */
class OutageLogTest {

  private RedisServer server;
  private TcpProxy proxy;
  private LogCapture log;
  private AutoCloseable connected = () -> {};

  @BeforeEach
  void start() {
    server = RedisServer.start();
    proxy = TcpProxy.start(server.port());
    log = new LogCapture("io.tidegate.redis");
  }

  @AfterEach
  void stop() throws Exception {
    connected.close();
    log.close();
    proxy.close();
    server.close();
  }

  private String address() {
    return "redis://127.0.0.1:" + proxy.port();
  }

  private List<String> lines() {
    return log.linesWith(address());
  }

  /** Waits for a number of lines, and checks that outages and their ends alternate. */
  private void awaitLines(int count) {
    Nodes.await(count + " lines", () -> lines().size() >= count);
    List<String> lines = lines();
    assertThat(lines).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(lines.get(i)).contains(i % 2 == 0 ? "is unavailable (" : "Connected to ");
    }
  }

  @Test
  void healthyStartLogsNothing() {
    RedisOrigin.connect(address()).close();
    assertThat(lines()).isEmpty();
  }

  /** The first attempt is still pending when the start stops waiting for it. */
  @Test
  void firstAttemptThatTakesTooLongIsLogged() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    RedisClient client = RedisClient.create();
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    RedisURI uri = RedisURI.create(address());
    ManagedConnection connection = new ManagedConnection(
        client,
        address(),
        () -> gate.thenCompose(open -> client.connectAsync(StringCodec.UTF8, uri)),
        () -> {});
    connected = connection;
    connection.awaitFirstAttempt();
    awaitLines(1);
    gate.complete(null);
    awaitLines(2);
  }

  @Test
  void unavailableRedisAtTheStartIsLogged() {
    proxy.refuse(true);
    connected = RedisOrigin.connect(address());
    awaitLines(1);
    assertThat(lines().get(0)).contains("Connection refused").contains("reconnecting every 200 ms");
    proxy.heal();
    awaitLines(2);
  }

  @Test
  void lossAndReconnectionAreLogged() {
    connected = RedisOrigin.connect(address());
    for (int outages = 1; outages <= 3; outages++) {
      proxy.refuse(true);
      proxy.reset();
      awaitLines(2 * outages - 1);
      proxy.heal();
      awaitLines(2 * outages);
    }
  }

  @Test
  void missingAnswersAreLogged() {
    try (RedisOrigin origin = RedisOrigin.connect(address())) {
      server.pause();
      origin.identify("eu", "9f2c1k");
      awaitLines(1);
      assertThat(lines().get(0)).contains("no answer for 3 s");
      server.resume();
      awaitLines(2);
    }
  }
}
