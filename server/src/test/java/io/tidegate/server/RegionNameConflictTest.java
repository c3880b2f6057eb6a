package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two regions with the same name by mistake: each has its own Redis, both share a database. */
@Timeout(300)
class RegionNameConflictTest {

  /** Several checks of the names, on a busy machine. */
  private static final Duration LONG = Duration.ofMinutes(3);

  @Test
  void isShownByReadyAndMetricsOfBothRegions() {
    try (MariaDbServer database = MariaDbServer.start();
        RedisServer redis = RedisServer.start();
        RedisServer otherRedis = RedisServer.start();
        Node node = start("eu", redis, database);
        Node sameRegion = start("eu", redis, database)) {
      assertThat(get(node, "/metrics")).contains("tidegate_region_name_conflict 0.0");
      try (Node namesake = start("eu", otherRedis, database);
          Node another = start("us", otherRedis, database)) {
        for (Node conflicting : new Node[] {node, sameRegion, namesake}) {
          Waiting.untilPassed(LONG, () -> {
            assertThat(get(conflicting, "/ready"))
                .contains("\"ready\":true", "\"regionNameConflict\":\"another region uses");
            assertThat(get(conflicting, "/metrics")).contains("tidegate_region_name_conflict 1.0");
          });
        }
        assertThat(get(another, "/ready")).doesNotContain("regionNameConflict");
        assertThat(get(another, "/metrics")).contains("tidegate_region_name_conflict 0.0");
      }
    }
  }

  private static Node start(String region, RedisServer redis, MariaDbServer database) {
    return Node.start(
        "--region=" + region, "--redis-uri=" + redis.uri(), "--jdbc-url=" + database.jdbcUrl());
  }

  private static String get(Node node, String path) {
    return Node.send(HttpRequest.newBuilder(node.adminUri(path)).build()).body();
  }
}
