package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever happens to Redis: decisions go on, none waits for long, and no count is lost. */
class RedisFailureTest {

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

  private void start(String... arguments) {
    server = RedisServer.start(arguments);
    nodes = Nodes.connected(2, server.uri());
  }

  private void startBehindProxy() {
    server = RedisServer.start();
    proxy = TcpProxy.start(server.port());
    nodes = Nodes.connected(2, "redis://127.0.0.1:" + proxy.port());
  }

  /** Replays that timed out are applied when Redis wakes up, and were sent again meanwhile. */
  @Test
  void paused() {
    start();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(1_000);
      server.pause();
      load.goOnFor(Duration.ofMillis(2_500));
      server.resume();
      load.awaitDecisions(1_000);
      load.checkNothingWasLost(server);
    }
  }

  /** Idle series are told again without a request for them. */
  @Test
  void killedAndRestartedEmpty() {
    start();
    IntStream.range(0, 2_000)
        .forEach(i -> Nodes.take(nodes.get(i % 2), "idle_" + i, 100, 1 + i % 7));
    long truth = IntStream.range(0, 2_000).map(i -> 1 + i % 7).sum();
    try (Load load = Load.on(nodes)) {
      Nodes.await("all to be told", () -> sumOfIdle() == truth);
      server.kill();
      load.goOnFor(Duration.ofMillis(700));
      server.restart();
      long before = System.nanoTime();
      Nodes.await("idle series to be whole", () -> sumOfIdle() == truth);
      Duration took = Duration.ofNanos(System.nanoTime() - before);
      assertThat(took).isLessThan(Duration.ofSeconds(3)); // one, and two for a busy machine
      assertThat(IntStream.range(0, 2_000))
          .allMatch(i -> Nodes.total(server, "idle_" + i) == 1 + i % 7);
      load.checkNothingWasLost(server);
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
  void killedAndRestartedWithItsData() {
    start("--appendonly", "yes", "--appendfsync", "always");
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(1_000);
      server.kill();
      load.awaitDecisions(500);
      server.restart();
      load.awaitDecisions(1_000);
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void flushed() {
    start();
    try (Load load = Load.on(nodes)) {
      for (int i = 0; i < 5; i++) {
        load.awaitDecisions(500);
        server.call("FLUSHALL");
      }
      load.awaitDecisions(500);
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void answersSlowly() {
    startBehindProxy();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      proxy.latency(Duration.ofMillis(200)); // so 400 ms, and every read is too late
      Decision late = Nodes.take(nodes.get(0), "cold", 10, 1);
      assertThat(late.degraded()).isTrue();
      load.goOnFor(Duration.ofSeconds(2));
      proxy.heal();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void swallowedByTheNetwork() {
    startBehindProxy();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      proxy.blackHole(true);
      assertThat(Nodes.take(nodes.get(0), "cold", 10, 1).degraded()).isTrue();
      load.goOnFor(Duration.ofSeconds(2));
      proxy.heal();
      load.awaitDecisions(500);
      load.checkNothingWasLost(server);
    }
  }

  /** The connections are dead and nobody says so: only that there is no answer tells. */
  @Test
  void halfOpen() {
    startBehindProxy();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      proxy.halfOpen();
      load.awaitDecisions(500);
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void connectionsReset() {
    startBehindProxy();
    try (Load load = Load.on(nodes)) {
      for (int i = 0; i < 5; i++) {
        load.awaitDecisions(300);
        proxy.reset();
      }
      load.awaitDecisions(300);
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void connectionsRefused() {
    startBehindProxy();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      proxy.refuse(true);
      proxy.reset();
      load.goOnFor(Duration.ofSeconds(1));
      proxy.heal();
      load.awaitDecisions(500);
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void outOfMemory() {
    start();
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      Nodes.take(nodes.get(0), "known", 100, 7);
      Nodes.await("it to be told", () -> Nodes.total(server, "known") == 7);
      server.call("CONFIG", "SET", "maxmemory", "1");
      load.awaitDecisions(500);
      Nodes.await("writes to fail", () -> !nodes.haveToldAll());
      Decision read = Nodes.take(nodes.get(1), "known", 100, 0);
      assertThat(read.effectiveCount()).isEqualTo(7); // reading works all the same
      assertThat(read.degraded()).isFalse();
      load.awaitDecisions(500);
      server.call("CONFIG", "SET", "maxmemory", "0");
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void readOnlyReplica() {
    try (RedisServer primary = RedisServer.start("--repl-diskless-sync-delay", "0")) {
      server = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
      nodes = Nodes.connected(2, server.uri());
      try (Load load = Load.on(nodes)) {
        load.awaitDecisions(500);
        assertThat(nodes.haveToldAll()).isFalse();
        server.call("REPLICAOF", "NO", "ONE"); // it is made the primary
        load.awaitDecisions(500);
        load.checkNothingWasLost(server);
      }
    }
  }

  @Test
  void wrongPassword() {
    server = RedisServer.start();
    server.call("ACL", "SETUSER", "app", "on", ">right", "~*", "+@all");
    nodes = Nodes.connected(2, "redis://app:wrong@127.0.0.1:" + server.port());
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(500);
      assertThat(load.degraded()).isPositive();
      assertThat(nodes.haveToldAll()).isFalse();
      server.call("ACL", "SETUSER", "app", ">wrong");
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void keyOfTheWrongType() {
    start();
    server.call("SET", Nodes.key("taken"), "something else");
    RateLimiter node = nodes.get(0);
    try (Load load = Load.on(nodes)) {
      assertThat(Nodes.take(node, "taken", 100, 3).degraded()).isTrue();
      load.awaitDecisions(1_000);
      assertThat(node.stats().unconfirmedSeries()).isPositive();
      assertThat(Nodes.take(node, "other", 100, 1).degraded()).isFalse();
      server.call("DEL", Nodes.key("taken"));
      load.checkNothingWasLost(server);
      assertThat(Nodes.total(server, "taken")).isEqualTo(3);
    }
  }

  @Test
  void absentAtTheStart() {
    server = RedisServer.start();
    server.kill();
    nodes = Nodes.connected(2, server.uri());
    try (Load load = Load.on(nodes)) {
      load.awaitDecisions(1_000);
      assertThat(load.degraded()).isPositive();
      server.restart();
      load.awaitDecisions(1_000);
      load.checkNothingWasLost(server);
    }
  }

  /** Cells that ended while Redis stood still are made anew when it wakes up, and must end too. */
  @Test
  void pausedForLongerThanItsCellsLive() {
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
    Nodes.await("all to be told", nodes::haveToldAll);
    assertThat(server.call("KEYS", Load.CELLS)).isNotEmpty();
    Load.checkEveryKeyExpires(server);
    Nodes.await("all to be gone", () -> server.call("KEYS", Load.CELLS).isEmpty());
  }

  private static void useFor(Duration duration, Runnable use) {
    long until = System.nanoTime() + duration.toNanos();
    Nodes.await("the time to pass", () -> {
      use.run();
      return System.nanoTime() - until >= 0;
    });
  }
}
