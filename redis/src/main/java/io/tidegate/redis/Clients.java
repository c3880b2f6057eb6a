package io.tidegate.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;

/**
 * Creates Lettuce clients with the options that the origin relies on. A client that is derived from
 * one of the application shares its threads and its other options, but has connections of its own:
 * neither changes how the other behaves.
 */
final class Clients {

  /**
   * Maximum number of unanswered commands: 65,536, a second of heavy traffic. Further commands fail
   * at once, and the limiter sends their counts later.
   */
  private static final int MAX_UNANSWERED = 1 << 16;

  private Clients() {}

  static RedisClient single() {
    return single(RedisClient.create(), ClientOptions.create());
  }

  static RedisClient single(RedisClient application) {
    return single(RedisClient.create(application.getResources()), application.getOptions());
  }

  private static RedisClient single(RedisClient client, ClientOptions options) {
    client.setOptions(configure(options.mutate(), options).autoReconnect(false).build());
    return client;
  }

  static RedisClusterClient cluster(List<RedisURI> nodes) {
    return cluster(RedisClusterClient.create(nodes), ClusterClientOptions.create());
  }

  static RedisClusterClient cluster(RedisClusterClient application, List<RedisURI> nodes) {
    ClientResources resources = application.getResources();
    return cluster(RedisClusterClient.create(resources, nodes), application.getOptions());
  }

  private static RedisClusterClient cluster(RedisClusterClient client, ClientOptions options) {
    ClusterClientOptions.Builder builder = options instanceof ClusterClientOptions cluster
        ? cluster.mutate()
        : ClusterClientOptions.builder(options);
    builder.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
        .enablePeriodicRefresh(Duration.ofSeconds(10))
        .build());
    builder.autoReconnect(true);
    client.setOptions(configure(builder, options).build());
    return client;
  }

  /**
   * Sets what all clients share. The limiter bounds the wait for an answer itself, and calls
   * without a connection must fail at once.
   */
  private static <B extends ClientOptions.Builder> B configure(B builder, ClientOptions options) {
    builder
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MAX_UNANSWERED)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(options
            .getSocketOptions()
            .mutate()
            .connectTimeout(ManagedConnection.CONNECT_TIMEOUT)
            .keepAlive(true)
            .build());
    return builder;
  }
}
