package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.testing.contract.Load;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** During every failure of Redis, decisions continue without long waits, and no count is lost. */
class RedisFailureTest {

  private static final int SERIES = 20;

  /** A request waits at most 300 ms; the rest allows for a busy machine. */
  private static final Duration LONGEST_DECISION = Duration.ofMillis(1_500);

  private RedisServer server;
  private TcpProxy proxy;
  private Nodes nodes;

  @AfterEach
  void close() {
    if (nodes != null) {
      nodes.close();
    }
    if (proxy != null) {
      proxy.close();
    }
    server.close();
  }

  private Load startLoad() {
    return new Load(nodes.all, 2, Nodes.SCOPE, SERIES);
  }

  /** Stops the load, and checks that Redis finally has every admitted token. */
  private void checkNoCountWasLost(Load load) {
    load.stop(LONGEST_DECISION);
    Nodes.await("all counts to be confirmed", nodes::areConfirmed);
    for (int i = 0; i < SERIES; i++) {
      String identifier = Load.identifier(i);
      long admitted = load.admitted(i);
      Nodes.await(
          identifier + " to have " + admitted, () -> Nodes.total(server, identifier) == admitted);
    }
    Nodes.checkEveryKeyExpires(server);
  }

  private void start(String... arguments) {
    server = RedisServer.start(arguments);
    nodes = Nodes.connected(2, server.uri());
  }

  private void startBehindProxy() {
    server = RedisServer.start();
    proxy = TcpProxy.start(server.port());
    nodes = Nodes.connected(2, "redis://127.0.0.1:" + proxy.port());
  }

  /** Redis applies replays that timed out when it resumes; they were sent again meanwhile. */
  @Test
  void pauseLosesNoCount() {
    start();
    try (Load load = startLoad()) {
      load.awaitDecisions(1_000);
      server.pause();
      load.runFor(Duration.ofMillis(2_500));
      server.resume();
      load.awaitDecisions(1_000);
      checkNoCountWasLost(load);
    }
  }

  /** Counts of idle series are sent again without a request for them. */
  @Test
  void restartWithoutDataLosesNoCount() {
    start();
    IntStream.range(0, 2_000)
        .forEach(i -> Nodes.take(nodes.get(i % 2), "idle_" + i, 100, 1 + i % 7));
    long admitted = IntStream.range(0, 2_000).map(i -> 1 + i % 7).sum();
    try (Load load = startLoad()) {
      Nodes.await("all counts to be confirmed", () -> sumOfIdle() == admitted);
      server.kill();
      load.runFor(Duration.ofMillis(700));
      server.restart();
      long before = System.nanoTime();
      Nodes.await("the counts of idle series", () -> sumOfIdle() == admitted);
      Duration took = Duration.ofNanos(System.nanoTime() - before);
      assertThat(took)
          .isLessThan(Duration.ofSeconds(3)); // 1 s, and 2 s to allow for a busy machine
      assertThat(IntStream.range(0, 2_000))
          .allMatch(i -> Nodes.total(server, "idle_" + i) == 1 + i % 7);
      checkNoCountWasLost(load);
    }
  }

  private long sumOfIdle() {
    String script = """
        local sum = 0
        for _, key in ipairs(redis.call('KEYS', 'tidegate:*idle_*')) do
          sum = sum + redis.call('HGET', key, ':total')
        end
        return sum
        """;
    return Long.parseLong(server.call("EVAL", script, "0").get(0));
  }

  @Test
  void restartWithDataLosesNoCount() {
    start("--appendonly", "yes", "--appendfsync", "always");
    try (Load load = startLoad()) {
      load.awaitDecisions(1_000);
      server.kill();
      load.awaitDecisions(500);
      server.restart();
      load.awaitDecisions(1_000);
      checkNoCountWasLost(load);
    }
  }

  @Test
  void flushLosesNoCount() {
    start();
    try (Load load = startLoad()) {
      for (int i = 0; i < 5; i++) {
        load.awaitDecisions(500);
        server.call("FLUSHALL");
      }
      load.awaitDecisions(500);
      checkNoCountWasLost(load);
    }
  }

  @Test
  void slowAnswersLoseNoCount() {
    startBehindProxy();
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      proxy.latency(Duration.ofMillis(200)); // each way, so that every read times out
      Decision late = Nodes.take(nodes.get(0), "cold", 10, 1);
      assertThat(late.degraded()).isTrue();
      load.runFor(Duration.ofSeconds(2));
      proxy.heal();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void droppedPacketsLoseNoCount() {
    startBehindProxy();
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      proxy.blackHole(true);
      assertThat(Nodes.take(nodes.get(0), "cold", 10, 1).degraded()).isTrue();
      load.runFor(Duration.ofSeconds(2));
      proxy.heal();
      load.awaitDecisions(500);
      checkNoCountWasLost(load);
    }
  }

  /** The connections are dead but appear open; only missing answers reveal it. */
  @Test
  void halfOpenConnectionsLoseNoCount() {
    startBehindProxy();
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      proxy.halfOpen();
      load.awaitDecisions(500);
      checkNoCountWasLost(load);
    }
  }

  @Test
  void resetConnectionsLoseNoCount() {
    startBehindProxy();
    try (Load load = startLoad()) {
      for (int i = 0; i < 5; i++) {
        load.awaitDecisions(300);
        proxy.reset();
      }
      load.awaitDecisions(300);
      checkNoCountWasLost(load);
    }
  }

  @Test
  void refusedConnectionsLoseNoCount() {
    startBehindProxy();
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      proxy.refuse(true);
      proxy.reset();
      load.runFor(Duration.ofSeconds(1));
      proxy.heal();
      load.awaitDecisions(500);
      checkNoCountWasLost(load);
    }
  }

  @Test
  void fullMemoryLosesNoCountAndReadsStillWork() {
    start();
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      Nodes.take(nodes.get(0), "user", 100, 7);
      Nodes.await("the count to be confirmed", () -> Nodes.total(server, "user") == 7);
      server.call("CONFIG", "SET", "maxmemory", "1");
      load.awaitDecisions(500);
      Nodes.await("unconfirmed counts", () -> !nodes.areConfirmed());
      Decision read = Nodes.take(nodes.get(1), "user", 100, 0);
      assertThat(read.effectiveCount()).isEqualTo(7); // reads still work
      assertThat(read.degraded()).isFalse();
      load.awaitDecisions(500);
      server.call("CONFIG", "SET", "maxmemory", "0");
      checkNoCountWasLost(load);
    }
  }

  @Test
  void readOnlyReplicaLosesNoCount() {
    try (RedisServer primary = RedisServer.start("--repl-diskless-sync-delay", "0")) {
      server = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
      nodes = Nodes.connected(2, server.uri());
      try (Load load = startLoad()) {
        load.awaitDecisions(500);
        assertThat(nodes.areConfirmed()).isFalse();
        server.call("REPLICAOF", "NO", "ONE"); // promotes it
        load.awaitDecisions(500);
        checkNoCountWasLost(load);
      }
    }
  }

  @Test
  void wrongPasswordLosesNoCount() {
    server = RedisServer.start();
    server.call("ACL", "SETUSER", "app", "on", ">right", "~*", "+@all");
    nodes = Nodes.connected(2, "redis://app:wrong@127.0.0.1:" + server.port());
    try (Load load = startLoad()) {
      load.awaitDecisions(500);
      assertThat(load.degraded()).isPositive();
      assertThat(nodes.areConfirmed()).isFalse();
      server.call("ACL", "SETUSER", "app", ">wrong");
      checkNoCountWasLost(load);
    }
  }

  @Test
  void keyOfTheWrongTypeAffectsOnlyItsSeries() {
    start();
    server.call("SET", Nodes.key("wrong type"), "something else");
    RateLimiter node = nodes.get(0);
    try (Load load = startLoad()) {
      assertThat(Nodes.take(node, "wrong type", 100, 3).degraded()).isTrue();
      load.awaitDecisions(1_000);
      assertThat(node.stats().unconfirmedSeries()).isPositive();
      assertThat(Nodes.take(node, "other", 100, 1).degraded()).isFalse();
      server.call("DEL", Nodes.key("wrong type"));
      checkNoCountWasLost(load);
      assertThat(Nodes.total(server, "wrong type")).isEqualTo(3);
    }
  }

  @Test
  void unavailableRedisAtTheStartLosesNoCount() {
    server = RedisServer.start();
    server.kill();
    nodes = Nodes.connected(2, server.uri());
    try (Load load = startLoad()) {
      load.awaitDecisions(1_000);
      assertThat(load.degraded()).isPositive();
      server.restart();
      load.awaitDecisions(1_000);
      checkNoCountWasLost(load);
    }
  }

  /** Cells that expired while Redis was paused are created again when it resumes. */
  @Test
  void pauseBeyondTheLifetimeOfCellsLeavesNoKeyWithoutExpiry() {
    start();
    Scope second = new Scope("acme", "short", 1_000);
    Runnable use = () -> {
      for (int i = 0; i < 50; i++) {
        nodes.get(i % 2).tryAcquireAsync(new LimitRequest(second, "user_" + i, 1_000_000, 1));
      }
    };
    useFor(Duration.ofMillis(1_500), use);
    server.pause();
    useFor(Duration.ofMillis(3_500), use);
    server.resume();
    useFor(Duration.ofMillis(500), use);
    Nodes.await("all counts to be confirmed", nodes::areConfirmed);
    assertThat(server.call("KEYS", Nodes.CELLS)).isNotEmpty();
    Nodes.checkEveryKeyExpires(server);
    Nodes.await("all cells to expire", () -> server.call("KEYS", Nodes.CELLS).isEmpty());
  }

  private static void useFor(Duration duration, Runnable use) {
    long until = System.nanoTime() + duration.toNanos();
    Nodes.await("the time to pass", () -> {
      use.run();
      return System.nanoTime() - until >= 0;
    });
  }
}
