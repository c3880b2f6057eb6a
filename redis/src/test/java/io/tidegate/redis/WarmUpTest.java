package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.testkit.RedisCluster;
import io.tidegate.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WarmUpTest {

  private static Link link(String uri) {
    RedisClient client = Clients.single();
    RedisURI parsed = RedisUris.parse(uri);
    Link link =
        new Link(client, uri, () -> client.connectAsync(StringCodec.UTF8, parsed), () -> {});
    Nodes.await("a connection", link::isConnected);
    return link;
  }

  private static boolean hasScript(RedisServer server) {
    return server.call("SCRIPT", "EXISTS", Cells.RAISE.digest()).contains("1");
  }

  @Test
  void leavesTheScriptAndNoKeys() {
    try (RedisServer server = RedisServer.start();
        Link link = link(server.uri())) {
      assertThat(hasScript(server)).isFalse();
      WarmUp.run(link);
      Nodes.await("the script", () -> hasScript(server));
      assertThat(server.call("DBSIZE")).containsExactly("0");
    }
  }

  @Test
  void endsAlsoIfRedisStandsStill() {
    try (RedisServer server = RedisServer.start();
        Link link = link(server.uri())) {
      server.pause();
      WarmUp.run(link);
      assertThat(link.isConnected()).isTrue();
    }
  }

  /** Requests report it. */
  @Test
  void endsAlsoIfRedisRefuses() {
    try (RedisServer server = RedisServer.start()) {
      server.call("ACL", "SETUSER", "app", "on", ">secret", "~tidegate:*", "+get");
      try (Link link = link("redis://app:secret@127.0.0.1:" + server.port())) {
        WarmUp.run(link);
        assertThat(link.isConnected()).isTrue();
      }
    }
  }

  @Test
  void reachesEveryMasterOfACluster() {
    try (RedisCluster cluster = RedisCluster.start();
        Link link = clusterLink(cluster.uris().get(0))) {
      WarmUp.run(link);
      cluster.masters().forEach(master -> Nodes.await("the script", () -> hasScript(master)));
    }
  }

  private static Link clusterLink(String uri) {
    RedisClusterClient client = Clients.cluster(List.of(RedisUris.parse(uri)));
    Link link = new Link(
        client,
        uri,
        () -> client
            .refreshPartitionsAsync()
            .thenCompose(done -> client.connectAsync(StringCodec.UTF8)),
        client::refreshPartitionsAsync);
    Nodes.await("a connection", link::isConnected);
    return link;
  }
}
