package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reasons and durations that {@code /ready} shows for failures of real servers. */
@Timeout(240)
class ReadyReasonTest {

  /** A call to a paused database times out after ten seconds. */
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
  void killedServerIsConnectionRefused() {
    redis.kill();
    database.kill();

    for (String dependency : new String[] {"origin", "global_counters", "catalog"}) {
      awaitReason(dependency, "connection refused");
    }
    awaitDuration("origin", 2);
    redis.restart();
    database.restart();
    for (String dependency : new String[] {"origin", "global_counters", "catalog"}) {
      Waiting.untilPassed(
          LONG, () -> assertThat(ready(dependency)).isEqualTo(Map.of("status", "ok")));
    }
  }

  @Test
  void pausedOriginIsTimeout() {
    redis.pause();

    awaitReason("origin", "timeout");
    redis.resume();
  }

  @Test
  void fullOriginIsOutOfMemory() {
    redis.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.call("CONFIG", "SET", "maxmemory", "1");

    awaitReason("origin", "out of memory");
  }

  private void awaitReason(String dependency, String reason) {
    Waiting.untilPassed(LONG, () -> {
      use();
      assertThat(ready(dependency))
          .containsEntry("status", "degraded")
          .containsEntry("reason", reason)
          .containsOnlyKeys("status", "reason", "degradedForSeconds");
    });
  }

  private void awaitDuration(String dependency, long seconds) {
    Waiting.untilPassed(
        LONG,
        () -> assertThat((Long) ready(dependency).get("degradedForSeconds"))
            .isBetween(seconds, 600L));
  }

  /** Sends a request for a new series, which reads and writes the origin. */
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
