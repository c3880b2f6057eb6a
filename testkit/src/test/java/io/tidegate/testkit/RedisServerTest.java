package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RedisServerTest {

  @Test
  void answersAndStores() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.call("PING")).containsExactly("PONG");
      assertThat(server.call("SET", "key", "värde")).containsExactly("OK");
      assertThat(server.call("GET", "key")).containsExactly("värde");
      assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
    }
  }

  @Test
  void hasThePackedVersionUnlessAnotherProgramIsNamed() {
    boolean named = System.getProperty("tidegate.redis.binary") != null;
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.call("INFO", "server").get(0))
          .contains(named ? "redis_version:" : "redis_version:7.0.15");
    }
  }

  @Test
  void sentinelStoresItsMaster() {
    try (RedisServer master = RedisServer.start();
        RedisServer sentinel = RedisServer.startSentinel()) {
      String port = Integer.toString(master.port());
      sentinel.call("SENTINEL", "MONITOR", "mymaster", "127.0.0.1", port, "1");
      sentinel.restart();
      assertThat(sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"))
          .containsExactly("127.0.0.1", port);
    }
  }

  @Test
  void repliesOfEveryKindBecomeText() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.call("GET", "missing")).isEmpty();
      assertThat(server.call("INCR", "count")).containsExactly("1");
      assertThat(server.call("MGET", "missing", "count")).containsExactly(null, "1");
      assertThat(server.call("KEYS", "nothing*")).isEmpty();
      assertThat(server.call("EVAL", "return {1,{'two',{}},'three'}", "0"))
          .containsExactly("1", "two", "three");
    }
  }

  @Test
  void anErrorIsThrownWithTheMessageOfRedis() {
    try (RedisServer server = RedisServer.start()) {
      server.call("SET", "key", "text");
      assertThatThrownBy(() -> server.call("INCR", "key"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("ERR value is not an integer or out of range");
    }
  }

  @Test
  void twoServersAreIndependent() {
    try (RedisServer one = RedisServer.start();
        RedisServer other = RedisServer.start()) {
      one.call("SET", "key", "one");
      assertThat(other.call("GET", "key")).isEmpty();
    }
  }

  @Test
  void argumentsReachRedis() {
    try (RedisServer server = RedisServer.start("--requirepass", "secret", "--maxmemory", "5mb")) {
      assertThat(server.call("CONFIG", "GET", "maxmemory")).containsExactly("maxmemory", "5242880");
    }
  }

  @Test
  void aServerCanBeAReplicaOfAnother() {
    // By default, replication starts after five seconds.
    try (RedisServer origin = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica =
            RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(origin.port()))) {
      origin.call("SET", "key", "value");
      assertThat(Waiting.until(
              Duration.ofSeconds(60), () -> replica.call("GET", "key").contains("value")))
          .isTrue();
    }
  }

  @Test
  void losesEverythingWhenKilled() {
    try (RedisServer server = RedisServer.start()) {
      server.call("SET", "key", "value");
      int port = server.port();
      long pid = server.pid();
      server.kill();
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
      assertThatThrownBy(() -> server.call("PING")).isInstanceOf(UncheckedIOException.class);
      assertThatThrownBy(server::pid).isInstanceOf(IllegalStateException.class);

      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.call("GET", "key")).isEmpty();
    }
  }

  @Test
  void keepsItsLogWhenKilled() {
    try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
      server.call("SET", "key", "value");
      server.kill();
      server.restart();
      assertThat(server.call("GET", "key")).containsExactly("value");
    }
  }

  @Test
  void restartEndsTheRunningProcess() {
    try (RedisServer server = RedisServer.start()) {
      ProcessHandle first = ProcessHandle.of(server.pid()).orElseThrow();
      server.restart();
      assertThat(first.isAlive()).isFalse();
      assertThat(server.call("PING")).containsExactly("PONG");
    }
  }

  @Test
  void answersNothingWhilePausedAndEverythingAfterwards() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.pause();
      CompletableFuture<List<String>> call =
          CompletableFuture.supplyAsync(() -> server.call("INCR", "count"));
      try (Resp impatient = new Resp(server.port(), Duration.ofMillis(300))) {
        assertThatThrownBy(() -> impatient.call("INCR", "count"))
            .isInstanceOf(SocketTimeoutException.class);
      }
      assertThat(call).isNotDone();

      server.resume();
      assertThat(call.get(60, TimeUnit.SECONDS)).isNotEmpty();
      // The call that timed out was executed too.
      assertThat(server.call("GET", "count")).containsExactly("2");
    }
  }

  @Test
  void closingEndsAPausedServer() {
    RedisServer server = RedisServer.start();
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    server.pause();
    server.close();
    assertThat(process.isAlive()).isFalse();

    server.close();
    assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void invalidArgumentsFailWithTheOutputOfRedis() {
    assertThatThrownBy(() -> RedisServer.start("--maxmemory", "much"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended with code 1")
        .hasMessageContaining("argument must be a memory value");
  }

  @Test
  void cpuTimeGrowsWithWork() {
    try (RedisServer server = RedisServer.start()) {
      Duration before = server.cpuTime();
      server.call("EVAL", "local x = 0; for i = 1, 1e7 do x = x + i end; return 1", "0");
      assertThat(server.cpuTime()).isGreaterThan(before);
    }
  }
}
