package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.Registration;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stored form of registrations, and what happens when it expires or is lost. */
class ReaderLeaseTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static RedisServer server;
  private static RedisOrigin origin;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    origin = RedisOrigin.connect(server.uri());
  }

  @AfterAll
  static void stop() {
    origin.close();
    server.close();
  }

  private static LiveNodes register(String region, String node, Duration lifetime) {
    return origin
        .register(new Registration(region, node, lifetime, true))
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private static long lifetimeMillis(String key) {
    return Long.parseLong(server.call("PTTL", key).get(0));
  }

  @Test
  void readerIsAPlainKeyThatExpiresWithItsRegistration() {
    register("eu central", "one", MINUTE);
    String key = "tidegate:{eu%20central}:reader";
    assertThat(server.call("GET", key)).containsExactly("one");
    assertThat(lifetimeMillis(key)).isBetween(50_000L, 60_000L);
  }

  @Test
  void onlyTheReaderRenewsItsLease() {
    String key = CellKey.reader("renewed");
    register("renewed", "one", MINUTE);
    register("renewed", "two", MINUTE.multipliedBy(10));
    assertThat(lifetimeMillis(key)).isBetween(1L, 60_000L);
    register("renewed", "one", MINUTE.multipliedBy(10));
    assertThat(lifetimeMillis(key)).isBetween(500_000L, 600_000L);
  }

  @Test
  void leaseExpiresWithItsLifetime() {
    Duration lifetime = Duration.ofMillis(300);
    long before = System.nanoTime();
    register("expiring", "one", lifetime);
    Nodes.await("a new reader", () -> register("expiring", "two", MINUTE).newReader());
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isGreaterThan(lifetime.minusMillis(50)) // the clocks of this process and Redis differ
        .isLessThan(Duration.ofSeconds(10)); // far more than a busy machine needs
    assertThat(register("expiring", "one", MINUTE))
        .isEqualTo(new LiveNodes(2, Optional.of("two"), false));
  }

  @Test
  void leavingDeletesTheKeys() {
    register("left", "one", MINUTE);
    register("left", "one", Duration.ZERO);
    assertThat(server.call("KEYS", "tidegate:{left}:*")).isEmpty();
  }

  /** The reader then starts with a full pull, which restores the imports. */
  @Test
  void readerOfAWipedRedisIsNew() {
    try (RedisServer wiped = RedisServer.start();
        RedisOrigin connected = RedisOrigin.connect(wiped.uri())) {
      Registration reader = new Registration("eu", "one", MINUTE, true);
      for (boolean isNew : List.of(true, false)) {
        assertThat(connected.register(reader).toCompletableFuture().join().newReader())
            .isEqualTo(isNew);
      }
      wiped.call("FLUSHALL");
      assertThat(connected.register(reader).toCompletableFuture().join())
          .isEqualTo(new LiveNodes(1, Optional.of("one"), true));
    }
  }

  @Test
  void scriptIsSentAgainWhenRedisLostIt() {
    register("flushed", "one", MINUTE);
    server.call("SCRIPT", "FLUSH");
    assertThat(register("flushed", "two", MINUTE))
        .isEqualTo(new LiveNodes(2, Optional.of("one"), false));
  }

  @Test
  void keyOfTheWrongTypeFailsTheRegistration() {
    server.call("HSET", CellKey.reader("wrong type"), "x", "y");
    assertThatThrownBy(() -> register("wrong type", "one", MINUTE))
        .hasMessageContaining("WRONGTYPE");
    assertThat(server.call("EXISTS", CellKey.nodes("wrong type"))).containsExactly("0");
  }
}
