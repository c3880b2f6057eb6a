package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code /ready} says in words why a real server cannot be used, and for how long. */
@Timeout(240)
class ReadyReasonTest {

  /** A call to a database that is paused ends after ten seconds. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private RedisServer redis;
  private MariaDbServer database;
  private Node node;

  @BeforeEach
  void start() {
    redis = RedisServer.start();
    database = MariaDbServer.start();
    node =
        Node.start("--region=eu", "--redis-uri=" + redis.uri(), "--jdbc-url=" + database.jdbcUrl());
  }

  @AfterEach
  void stop() {
    node.close();
    database.close();
    redis.close();
  }

  @Test
  void killedServersRefuseConnections() {
    redis.kill();
    database.kill();

    for (String dependency : new String[] {"origin", "global_counters", "catalog"}) {
      awaitReason(dependency, "connection refused");
    }
    awaitDuration("origin", 2);
    redis.restart();
    database.restart();
    for (String dependency : new String[] {"origin", "global_counters", "catalog"}) {
      Eventually.within(
          LONG, () -> assertThat(ready(dependency)).isEqualTo(Map.of("status", "ok")));
    }
  }

  @Test
  void aSilentRedisIsATimeout() {
    redis.pause();

    awaitReason("origin", "timeout");
    redis.resume();
  }

  @Test
  void aRedisThatIsFullSaysSo() {
    redis.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.call("CONFIG", "SET", "maxmemory", "1");

    awaitReason("origin", "out of memory");
  }

  private void awaitReason(String dependency, String reason) {
    Eventually.within(LONG, () -> {
      use();
      assertThat(ready(dependency))
          .containsEntry("status", "degraded")
          .containsEntry("reason", reason)
          .containsOnlyKeys("status", "reason", "degradedForSeconds");
    });
  }

  private void awaitDuration(String dependency, long seconds) {
    Eventually.within(
        LONG,
        () -> assertThat((Long) ready(dependency).get("degradedForSeconds"))
            .isBetween(seconds, 600L));
  }

  /** A request that has Redis read and written, whatever this node knows already. */
  private void use() {
    node.ask(
        "limit",
        Json.object(
            "namespace",
            "ready",
            "identifier",
            "user " + System.nanoTime(),
            "limit",
            10,
            "duration",
            60_000));
  }

  private Map<String, Object> ready(String dependency) {
    String body =
        Node.send(HttpRequest.newBuilder(node.adminUri("/ready")).build()).body();
    Map<?, ?> ready = (Map<?, ?>) Json.parse(body.strip());
    Map<String, Object> state = new LinkedHashMap<>();
    ((Map<?, ?>) ((Map<?, ?>) ready.get("dependencies")).get(dependency))
        .forEach((name, value) -> state.put((String) name, value));
    return state;
  }
}
