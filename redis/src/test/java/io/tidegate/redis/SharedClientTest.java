package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.RateLimiter;
import io.tidegate.testkit.RedisCluster;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Origins that use a client of the application. */
class SharedClientTest {

  private static long connections(RedisServer server) {
    return server.call("CLIENT", "LIST", "TYPE", "normal").get(0).lines().count();
  }

  @Test
  void closingTheOriginLeavesTheClientOpen() {
    try (RedisServer server = RedisServer.start()) {
      RedisClient client = RedisClient.create(server.uri());
      ClientOptions options = client.getOptions();
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        long before = connections(server);
        RedisURI uri = RedisURI.create(server.uri());
        RateLimiter node = RateLimiter.builder()
            .region(Nodes.REGION)
            .origin(RedisOrigin.using(client, uri))
            .build();
        assertThat(Nodes.take(node, "user", 100, 5).degraded()).isFalse();
        assertThat(connections(server)).isEqualTo(before + 1);
        node.close();
        assertThat(Nodes.total(server, "user")).isEqualTo(5);
        Nodes.await("its connection to be closed", () -> connections(server) == before);
        assertThat(connection.sync().ping()).isEqualTo("PONG");
        assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        assertThat(client.getOptions()).isSameAs(options);
        assertThat(uri.getTimeout()).isEqualTo(RedisURI.DEFAULT_TIMEOUT_DURATION);
      } finally {
        client.shutdown();
      }
    }
  }

  /** By default, the client queues commands until it has reconnected. */
  @Test
  void originFailsAtOnceWithoutConnectionAndRecovers() {
    RedisClient client = RedisClient.create();
    try (RedisServer server = RedisServer.start();
        Nodes nodes = new Nodes()) {
      RedisOrigin origin = RedisOrigin.using(client, RedisURI.create(server.uri()));
      RateLimiter node = nodes.add(origin);
      Nodes.take(node, "user", 100, 5);
      server.kill();
      Nodes.await(
          "calls to fail",
          () -> origin.identify("eu", "9f2c1k").toCompletableFuture().isCompletedExceptionally());
      Nodes.take(node, "user", 100, 3);
      server.restart();
      Nodes.await("all counts in Redis", () -> Nodes.total(server, "user") == 8);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void clusterClientOfTheApplicationStaysOpen() {
    try (RedisCluster cluster = RedisCluster.start()) {
      RedisURI uri = RedisURI.create(cluster.uris().get(0));
      RedisClusterClient client = RedisClusterClient.create(uri);
      try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
        RateLimiter node = RateLimiter.builder()
            .region(Nodes.REGION)
            .origin(RedisOrigin.usingCluster(client, uri))
            .build();
        for (int i = 0; i < 20; i++) {
          assertThat(Nodes.take(node, "user_" + i, 100, 5).allowed()).isTrue();
        }
        node.close();
        for (int i = 0; i < 20; i++) {
          String user = "user_" + i;
          assertThat(Nodes.total(cluster.masterOf(Nodes.key(user)), user)).isEqualTo(5);
        }
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      }
    }
  }
}
