package io.tidegate.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a region in Redis 6.2 or later, or a Redis Cluster.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.builder()
 *     .region("eu")
 *     .origin(RedisOrigin.connect("redis://redis.internal:6379"))
 *     .build();
 * }</pre>
 *
 * <p>A cell is a hash with the count of every writer and their total. A small script raises one
 * writer's count and the total together, and never lowers them. The size of a message and of its
 * answer, and the work of Redis, do not depend on how many writers a cell has had.
 */
public final class RedisOrigin implements RegionalOrigin {

  /**
   * Most commands that wait for an answer. While Redis stands still they are kept here and in the
   * network's buffers; what does not fit fails, and is sent later.
   */
  private static final int MOST_UNANSWERED = 1 << 16;

  private final Link link;

  private RedisOrigin(Link link) {
    this.link = link;
    link.awaitFirstAttempt();
  }

  /**
   * Connects to a single Redis: {@code RedisOrigin.connect("rediss://user:password@host:6380")}.
   * Returns also if Redis is not there; it is joined when it appears.
   *
   * @param uri {@code redis://} or, with TLS, {@code rediss://}; user, password, host, port and
   *     number of the database
   * @return the origin
   */
  public static RedisOrigin connect(String uri) {
    RedisURI parsed = parse(uri);
    RedisClient client = RedisClient.create();
    client.setOptions(configure(ClientOptions.builder()).autoReconnect(false).build());
    return new RedisOrigin(new Link(
        client, name(parsed), () -> client.connectAsync(StringCodec.UTF8, parsed), () -> {}));
  }

  /**
   * Connects to a Redis Cluster: {@code RedisOrigin.connectCluster("redis://10.0.0.1",
   * "redis://10.0.0.2")}. Returns also if it is not there; it is joined when it appears.
   *
   * @param uris some of its nodes, of which one is enough to find the others
   * @return the origin
   */
  public static RedisOrigin connectCluster(String... uris) {
    if (uris.length == 0) {
      throw new IllegalArgumentException("a Redis Cluster needs at least one URI");
    }
    List<RedisURI> parsed = Arrays.stream(uris).map(RedisOrigin::parse).toList();
    RedisClusterClient client = RedisClusterClient.create(parsed);
    client.setOptions(
        configure(ClusterClientOptions.builder().topologyRefreshOptions(topologyRefresh()))
            .build());
    return new RedisOrigin(new Link(
        client,
        "the Redis Cluster of " + name(parsed.get(0)),
        () -> client
            .refreshPartitionsAsync()
            .thenCompose(done -> client.connectAsync(StringCodec.UTF8)),
        client::refreshPartitionsAsync));
  }

  private static RedisURI parse(String uri) {
    RedisURI parsed;
    try {
      parsed = RedisURI.create(Objects.requireNonNull(uri, "uri must not be null"));
    } catch (IllegalArgumentException e) { // whose message may have the whole URI, with password
      String reason = e.getCause() instanceof URISyntaxException syntax
          ? syntax.getReason() + " at index " + syntax.getIndex()
          : e.getMessage();
      throw new IllegalArgumentException(
          "not a Redis URI, such as redis://user:password@host:6379: " + reason);
    }
    parsed.setTimeout(Link.CONNECT_TIMEOUT);
    return parsed;
  }

  /** What a log may show of a URI. */
  private static String name(RedisURI uri) {
    return (uri.isSsl() ? "rediss://" : "redis://") + uri.getHost() + ":" + uri.getPort();
  }

  /**
   * The limiter bounds its waiting itself, and wants to hear at once that there is no connection.
   */
  private static <B extends ClientOptions.Builder> B configure(B options) {
    options
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MOST_UNANSWERED)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(SocketOptions.builder()
            .connectTimeout(Link.CONNECT_TIMEOUT)
            .keepAlive(true)
            .build());
    return options;
  }

  private static ClusterTopologyRefreshOptions topologyRefresh() {
    return ClusterTopologyRefreshOptions.builder()
        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
        .enablePeriodicRefresh(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
    Pipeline pipeline = new Pipeline(link);
    List<CompletableFuture<RegionalCount>> counts =
        cells.stream().map(cell -> Cells.read(pipeline, writer, cell)).toList();
    pipeline.send();
    return CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new))
        .thenApply(done -> counts.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    Pipeline pipeline = new Pipeline(link);
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>(counts.size());
    for (OwnCount own : counts) {
      answers.add(Cells.raise(pipeline, own));
    }
    pipeline.send();
    return answers;
  }

  /**
   * {@inheritDoc}
   *
   * @return the id of the master that has the slot of the series; empty for a single Redis, or
   *     while no master is known to have it
   */
  @Override
  public String part(String region, Series series) {
    return link.latest() instanceof StatefulRedisClusterConnection<String, String> cluster
        ? Pipeline.masterOf(CellKey.of(region, new WindowCell(series, 0)), cluster)
        : "";
  }

  /** {@inheritDoc} Redis keeps it without expiry, under {@code tidegate:{region}:identity}. */
  @Override
  public CompletionStage<Optional<String>> identify(String region, String candidate) {
    Objects.requireNonNull(candidate, "candidate must not be null");
    String key = CellKey.identity(region);
    Pipeline pipeline = new Pipeline(link);
    CompletableFuture<?> stored = pipeline.setIfAbsent(key, candidate);
    CompletableFuture<@Nullable String> held = pipeline.get(key);
    pipeline.send();
    return stored.thenCombine(held, (set, identity) -> {
      if (identity == null) {
        throw new RedisException("deleted while it was being read: " + key);
      }
      return Optional.of(identity);
    });
  }

  @Override
  public void close() {
    link.close();
  }
}
