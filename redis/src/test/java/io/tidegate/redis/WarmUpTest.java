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

  private static ManagedConnection connect(String uri) {
    RedisClient client = Clients.single();
    RedisURI parsed = RedisUris.parse(uri);
    ManagedConnection connection = new ManagedConnection(
        client, uri, () -> client.connectAsync(StringCodec.UTF8, parsed), () -> {});
    Nodes.await("a connection", connection::isConnected);
    return connection;
  }

  private static boolean hasScript(RedisServer server) {
    return server.call("SCRIPT", "EXISTS", CellStore.RAISE.digest()).contains("1");
  }

  @Test
  void loadsTheScriptAndLeavesNoKeys() {
    try (RedisServer server = RedisServer.start();
        ManagedConnection connection = connect(server.uri())) {
      assertThat(hasScript(server)).isFalse();
      WarmUp.run(connection);
      Nodes.await("the script", () -> hasScript(server));
      assertThat(server.call("DBSIZE")).containsExactly("0");
    }
  }

  @Test
  void endsWhenRedisDoesNotAnswer() {
    try (RedisServer server = RedisServer.start();
        ManagedConnection connection = connect(server.uri())) {
      server.pause();
      WarmUp.run(connection);
      assertThat(connection.isConnected()).isTrue();
    }
  }

  @Test
  void endsWhenRedisDeniesTheCommands() {
    try (RedisServer server = RedisServer.start()) {
      server.call("ACL", "SETUSER", "app", "on", ">secret", "~tidegate:*", "+get");
      try (ManagedConnection connection =
          connect("redis://app:secret@127.0.0.1:" + server.port())) {
        WarmUp.run(connection);
        assertThat(connection.isConnected()).isTrue();
      }
    }
  }

  @Test
  void reachesEveryMasterOfACluster() {
    try (RedisCluster cluster = RedisCluster.start();
        ManagedConnection connection = connectCluster(cluster.uris().get(0))) {
      WarmUp.run(connection);
      cluster.masters().forEach(master -> Nodes.await("the script", () -> hasScript(master)));
    }
  }

  private static ManagedConnection connectCluster(String uri) {
    RedisClusterClient client = Clients.cluster(List.of(RedisUris.parse(uri)));
    ManagedConnection connection = new ManagedConnection(
        client,
        uri,
        () -> client
            .refreshPartitionsAsync()
            .thenCompose(done -> client.connectAsync(StringCodec.UTF8)),
        client::refreshPartitionsAsync);
    Nodes.await("a connection", connection::isConnected);
    return connection;
  }
}
