package io.tidegate.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a region in Redis 6.2 or later: a single one, one behind Redis Sentinel, or a Redis
 * Cluster.
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

  /** Whether this JVM has run the code of a command. */
  private static final AtomicBoolean WARMED_UP = new AtomicBoolean();

  private final Link link;

  private RedisOrigin(Link link) {
    this.link = link;
    link.awaitFirstAttempt();
    if (link.isConnected() && !WARMED_UP.getAndSet(true)) {
      WarmUp.run(link);
    }
  }

  /**
   * Connects to a single Redis, {@code RedisOrigin.connect("rediss://user:password@host:6380")}, or
   * to the master that Redis Sentinel names,
   * {@code RedisOrigin.connect("redis-sentinel://:password@host1:26379,host2:26379/0#mymaster")}.
   * Returns also if Redis is unavailable, and connects when it becomes available.
   *
   * @param uri {@code redis://}, {@code redis-sentinel://} or, with TLS, {@code rediss://} and
   *     {@code rediss-sentinel://}; user and password (of Redis, not of Sentinel), host, port and
   *     number of the database
   * @return the origin
   */
  public static RedisOrigin connect(String uri) {
    return single(Clients.single(), RedisUris.parse(uri));
  }

  /**
   * Connects with the threads and options of a client that the application has:
   * {@code RedisOrigin.using(client, RedisURI.create("redis://localhost"))}. The origin makes a
   * connection of its own, for which it overrides the options on timeouts, reconnecting and
   * queueing; the client and its other connections stay as they are. Closing the origin closes that
   * connection only; close the origin before the client.
   *
   * @param client a client whose {@code ClientResources}, TLS and socket options are used
   * @param uri where to connect, for Redis Sentinel with passwords for both if need be
   * @return the origin
   */
  public static RedisOrigin using(RedisClient client, RedisURI uri) {
    return single(Clients.single(client), RedisUris.bounded(uri));
  }

  private static RedisOrigin single(RedisClient client, RedisURI uri) {
    return new RedisOrigin(new Link(
        client,
        "Redis at " + RedisUris.name(uri),
        () -> client.connectAsync(StringCodec.UTF8, uri),
        () -> {}));
  }

  /**
   * Connects to a Redis Cluster: {@code RedisOrigin.connectCluster("redis://10.0.0.1",
   * "redis://10.0.0.2")}. Returns also if it is unavailable, and connects when it becomes
   * available.
   *
   * @param uris some of its nodes, of which one is enough to find the others
   * @return the origin
   */
  public static RedisOrigin connectCluster(String... uris) {
    List<RedisURI> nodes = checkNodes(Arrays.stream(uris).map(RedisUris::parse));
    return cluster(Clients.cluster(nodes), nodes);
  }

  /**
   * Connects to a Redis Cluster with the threads and options of a client that the application has:
   * {@code RedisOrigin.usingCluster(client, RedisURI.create("redis://10.0.0.1"))}. See
   * {@link #using}; the options on topology refresh are overridden too.
   *
   * @param client a client whose {@code ClientResources}, TLS and socket options are used
   * @param uris some nodes of the cluster, of which one is enough to find the others
   * @return the origin
   */
  public static RedisOrigin usingCluster(RedisClusterClient client, RedisURI... uris) {
    List<RedisURI> nodes = checkNodes(Arrays.stream(uris).map(RedisUris::bounded));
    return cluster(Clients.cluster(client, nodes), nodes);
  }

  private static List<RedisURI> checkNodes(Stream<RedisURI> uris) {
    List<RedisURI> nodes = uris.map(RedisUris::checkNode).toList();
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a Redis Cluster needs at least one URI");
    }
    return nodes;
  }

  private static RedisOrigin cluster(RedisClusterClient client, List<RedisURI> nodes) {
    return new RedisOrigin(new Link(
        client,
        "Redis Cluster at " + RedisUris.name(nodes.get(0)),
        () -> client
            .refreshPartitionsAsync()
            .thenCompose(done -> client.connectAsync(StringCodec.UTF8)),
        client::refreshPartitionsAsync));
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
