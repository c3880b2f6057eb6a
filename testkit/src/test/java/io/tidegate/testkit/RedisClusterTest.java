package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RedisClusterTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static RedisCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void closeCluster() {
    cluster.close();
  }

  @Test
  void everyMasterStoresItsOwnKeys() {
    for (RedisServer master : cluster.masters()) {
      String key = keyOf(master);
      assertThat(master.call("SET", key, "value")).containsExactly("OK");
      assertThat(master.call("GET", key)).containsExactly("value");
      for (RedisServer other : cluster.masters()) {
        if (other != master) {
          assertThatThrownBy(() -> other.call("GET", key))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageStartingWith("MOVED ")
              .hasMessageEndingWith(":" + master.port());
        }
      }
    }
  }

  @Test
  void listsTheUrisOfItsMasters() {
    assertThat(cluster.uris())
        .isEqualTo(cluster.masters().stream().map(RedisServer::uri).toList())
        .hasSize(3)
        .doesNotHaveDuplicates();
  }

  @Test
  void worksWithoutAMasterAndAfterItsReturn() {
    RedisServer victim = cluster.masters().get(0);
    List<RedisServer> survivors = cluster.masters().subList(1, 3);
    String lostKey = keyOf(victim);
    victim.kill();
    for (RedisServer survivor : survivors) {
      String key = keyOf(survivor);
      assertThat(survivor.call("SET", key, "before it is detected")).containsExactly("OK");
      assertThat(Waiting.until(
              LONG,
              () -> reports(survivor, "cluster_slots_fail:5462")
                  && reports(survivor, "cluster_state:ok")))
          .isTrue();
      assertThat(survivor.call("SET", key, "after it is detected")).containsExactly("OK");
    }
    assertThat(cluster.masterOf(lostKey)).isSameAs(victim);

    victim.restart();
    for (RedisServer master : cluster.masters()) {
      assertThat(Waiting.until(
              LONG,
              () ->
                  reports(master, "cluster_slots_ok:16384") && reports(master, "cluster_state:ok")))
          .isTrue();
    }
    assertThat(victim.call("SET", lostKey, "value")).containsExactly("OK");
  }

  private static boolean reports(RedisServer server, String line) {
    return server.call("CLUSTER", "INFO").get(0).lines().anyMatch(line::equals);
  }

  private static String keyOf(RedisServer master) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "key" + i)
        .filter(key -> cluster.masterOf(key) == master)
        .findFirst()
        .orElseThrow();
  }
}
