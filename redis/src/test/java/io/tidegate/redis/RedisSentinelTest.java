package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.tidegate.RateLimiter;
import io.tidegate.testkit.RedisServer;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counting through failovers of a master and a replica that Sentinel monitors. */
class RedisSentinelTest {

  private static final String PASSWORD = "mysecret";

  private RedisServer master;
  private RedisServer replica;
  private RedisServer sentinel;
  private Nodes nodes;

  @BeforeEach
  void start() {
    master = RedisServer.start(
        "--requirepass", PASSWORD, "--masterauth", PASSWORD, "--repl-diskless-sync-delay", "0");
    replica = RedisServer.start(
        "--requirepass",
        PASSWORD,
        "--masterauth",
        PASSWORD,
        "--replicaof",
        "127.0.0.1",
        Integer.toString(master.port()));
    Nodes.await(
        "the replica to be in sync",
        () -> replica.call("INFO", "replication").get(0).contains("master_link_status:up"));
    nodes = new Nodes();
  }

  @AfterEach
  void stop() {
    nodes.close();
    List.of(sentinel, replica, master).forEach(RedisServer::close);
  }

  private void startSentinel(String... arguments) {
    sentinel = RedisServer.startSentinel(arguments);
    String port = Integer.toString(master.port());
    sentinel.call("SENTINEL", "MONITOR", "mymaster", "127.0.0.1", port, "1");
    sentinel.call("SENTINEL", "SET", "mymaster", "auth-pass", PASSWORD);
    sentinel.call("SENTINEL", "SET", "mymaster", "down-after-milliseconds", "1000");
    sentinel.call("SENTINEL", "SET", "mymaster", "failover-timeout", "5000");
    Nodes.await(
        "Sentinel to list the replica",
        () -> sentinel.call("SENTINEL", "REPLICAS", "mymaster").contains("127.0.0.1"));
  }

  private String uri() {
    return "redis-sentinel://:" + PASSWORD + "@127.0.0.1:" + sentinel.port() + "/0#mymaster";
  }

  private static boolean hasTotal(RedisServer server, long total) {
    try {
      return Nodes.total(server, "user") == total;
    } catch (UncheckedIOException | IllegalStateException e) { // being promoted, or demoted
      return false;
    }
  }

  /** Sentinel rejects a failover until the replica has reported that it is in sync. */
  private boolean startsFailover() {
    try {
      sentinel.call("SENTINEL", "FAILOVER", "mymaster");
      return true;
    } catch (IllegalStateException e) {
      if (!e.getMessage().contains("NOGOODSLAVE")) {
        throw e;
      }
      return false;
    }
  }

  private RateLimiter countFive() {
    RateLimiter node = nodes.add(RedisOrigin.connect(uri()));
    assertThat(Nodes.take(node, "user", 100, 5).allowed()).isTrue();
    Nodes.await("the count on the master", () -> hasTotal(master, 5));
    Nodes.await("the count on the replica", () -> hasTotal(replica, 5));
    return node;
  }

  @Test
  void countingContinuesAfterTheMasterDied() {
    startSentinel();
    RateLimiter node = countFive();
    master.kill();
    assertThat(Nodes.take(node, "user", 100, 3).allowed()).isTrue();
    Nodes.await("the replica to take over", () -> hasTotal(replica, 8));
    Nodes.await("all counts to be confirmed", nodes::areConfirmed);
  }

  /** The former master continues as a replica, and must not be written to. */
  @Test
  void countingContinuesAfterASwitchover() {
    startSentinel();
    RateLimiter node = countFive();
    Nodes.await("the failover to be accepted", this::startsFailover);
    assertThat(Nodes.take(node, "user", 100, 3).allowed()).isTrue();
    Nodes.await(
        "the replica to take over",
        () -> sentinel
            .call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster")
            .contains(Integer.toString(replica.port())));
    assertThat(Nodes.take(node, "user", 100, 2).allowed()).isTrue();
    Nodes.await("all counts on the new master", () -> hasTotal(replica, 10));
    Nodes.await("all counts to be confirmed", nodes::areConfirmed);
  }

  @Test
  void sentinelMayStartLater() {
    startSentinel();
    sentinel.kill();
    try (LogCapture log = new LogCapture("io.tidegate.redis")) {
      RateLimiter node = nodes.add(RedisOrigin.connect(uri()));
      assertThat(Nodes.take(node, "user", 100, 5).degraded()).isTrue();
      sentinel.restart();
      Nodes.await("the count on the master", () -> hasTotal(master, 5));
      String address = "Redis at redis-sentinel://127.0.0.1:" + sentinel.port() + "#mymaster";
      Nodes.await("both lines", () -> log.linesWith(address).size() == 2);
      assertThat(log.lines.toString()).doesNotContain(PASSWORD);
    }
  }

  @Test
  void sentinelMayHaveItsOwnPassword() {
    startSentinel("--requirepass", "other");
    RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "mymaster", "other")
        .withPassword(PASSWORD.toCharArray())
        .build();
    RedisClient client = RedisClient.create();
    try {
      RateLimiter node = nodes.add(RedisOrigin.using(client, uri));
      assertThat(Nodes.take(node, "user", 100, 5).degraded()).isFalse();
      Nodes.await("the count on the master", () -> hasTotal(master, 5));
    } finally {
      nodes.close();
      client.shutdown();
    }
  }

  @Test
  void invalidUrisAreRejected() {
    startSentinel();
    assertThatThrownBy(() -> RedisOrigin.connect("redis-sentinel://:mysecret@host:26379"))
        .hasMessageContaining("sentinelMasterId")
        .hasMessageContaining("redis-sentinel://host1:26379,host2:26379/0#mymaster")
        .hasMessageNotContaining(PASSWORD);
    assertThatThrownBy(() -> RedisOrigin.connectCluster(uri()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a node of a Redis Cluster must be such as redis://host:6379")
        .hasMessageContaining("127.0.0.1:" + sentinel.port() + "#mymaster")
        .hasMessageNotContaining(PASSWORD);
  }
}
