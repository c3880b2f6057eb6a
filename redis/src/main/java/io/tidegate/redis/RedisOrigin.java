package io.tidegate.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
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
 * The origin of a region in Redis 6.2 or later: a single server, a master behind Redis Sentinel, or
 * a Redis Cluster.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.builder()
 *     .region("eu")
 *     .origin(RedisOrigin.connect("redis://redis.internal:6379"))
 *     .build();
 * }</pre>
 *
 * <p>A cell is a hash with the count of every writer and their total, and the pushed count of every
 * region and the sum over the other regions. Scripts raise one count and its sum together, and
 * never lower them. The size of a message and the work of Redis do not depend on the number of
 * writers and regions of a cell.
 *
 * <p>Thread-safe. Calls fail at once while there is no connection; the origin reconnects by itself
 * and does not retry calls.
 */
public final class RedisOrigin implements RegionalOrigin {

  /** Whether an origin of this JVM has done the warm-up. */
  private static final AtomicBoolean WARMED_UP = new AtomicBoolean();

  private static final Script REGISTER = Script.read("register.lua");

  private final ManagedConnection connection;

  private RedisOrigin(ManagedConnection connection) {
    this.connection = connection;
    connection.awaitFirstAttempt();
    if (connection.isConnected() && !WARMED_UP.getAndSet(true)) {
      WarmUp.run(connection);
    }
  }

  /**
   * Connects to a single Redis, {@code RedisOrigin.connect("rediss://user:password@host:6380")}, or
   * to the master that Redis Sentinel names,
   * {@code RedisOrigin.connect("redis-sentinel://:password@host1:26379,host2:26379/0#mymaster")}.
   * Returns even if Redis is unavailable, and connects when it becomes available.
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
   * Connects with the threads and options of an existing client: {@code RedisOrigin.using(client,
   * RedisURI.create("redis://localhost"))}. The origin opens a connection of its own, for which it
   * overrides the options on timeouts, reconnecting and queueing. The client and its other
   * connections do not change. Closing the origin closes only its own connection; close the origin
   * before the client.
   *
   * @param client a client whose {@code ClientResources}, TLS and socket options are used
   * @param uri where to connect; for Redis Sentinel with both passwords, if they have any
   * @return the origin
   */
  public static RedisOrigin using(RedisClient client, RedisURI uri) {
    return single(Clients.single(client), RedisUris.bounded(uri));
  }

  private static RedisOrigin single(RedisClient client, RedisURI uri) {
    return new RedisOrigin(new ManagedConnection(
        client,
        "Redis at " + RedisUris.name(uri),
        () -> client.connectAsync(StringCodec.UTF8, uri),
        () -> {}));
  }

  /**
   * Connects to a Redis Cluster: {@code RedisOrigin.connectCluster("redis://10.0.0.1",
   * "redis://10.0.0.2")}. Returns even if the cluster is unavailable, and connects when it becomes
   * available.
   *
   * @param uris one or more of its nodes; the others are discovered
   * @return the origin
   */
  public static RedisOrigin connectCluster(String... uris) {
    List<RedisURI> nodes = checkNodes(Arrays.stream(uris).map(RedisUris::parse));
    return cluster(Clients.cluster(nodes), nodes);
  }

  /**
   * Connects to a Redis Cluster with the threads and options of an existing client:
   * {@code RedisOrigin.usingCluster(client, RedisURI.create("redis://10.0.0.1"))}. See
   * {@link #using}; it overrides the options on topology refresh too.
   *
   * @param client a client whose {@code ClientResources}, TLS and socket options are used
   * @param uris one or more nodes of the cluster; the others are discovered
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
    return new RedisOrigin(new ManagedConnection(
        client,
        "Redis Cluster at " + RedisUris.name(nodes.get(0)),
        () -> client
            .refreshPartitionsAsync()
            .thenCompose(done -> client.connectAsync(StringCodec.UTF8)),
        client::refreshPartitionsAsync));
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    Pipeline pipeline = new Pipeline(connection);
    List<CompletableFuture<RegionalCount>> cells =
        counts.stream().map(own -> CellStore.read(pipeline, own)).toList();
    pipeline.send();
    return CompletableFuture.allOf(cells.toArray(CompletableFuture[]::new))
        .thenApply(done -> cells.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    Pipeline pipeline = new Pipeline(connection);
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>(counts.size());
    for (OwnCount own : counts) {
      answers.add(CellStore.raise(pipeline, own));
    }
    pipeline.send();
    return answers;
  }

  /**
   * {@inheritDoc}
   *
   * @return the node id of the master that has the slot of the series; empty for a single Redis, or
   *     while no master has it
   */
  @Override
  public String part(String region, Series series) {
    return connection.latest() instanceof StatefulRedisClusterConnection<String, String> cluster
        ? Pipeline.masterOf(CellKey.of(region, new WindowCell(series, 0)), cluster)
        : "";
  }

  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    Pipeline pipeline = new Pipeline(connection);
    CompletableFuture<?>[] stored = components.stream()
        .map(component -> CellStore.store(pipeline, region, component))
        .toArray(CompletableFuture[]::new);
    pipeline.send();
    return CompletableFuture.allOf(stored);
  }

  /**
   * {@inheritDoc} Nodes are stored in a sorted set, under {@code tidegate:{region}:nodes}; the
   * reader under {@code tidegate:{region}:reader}, which expires with its registration.
   */
  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    String region = registration.region();
    Pipeline pipeline = new Pipeline(connection);
    CompletableFuture<LiveNodes> live = pipeline
        .run(
            REGISTER,
            List.of(CellKey.nodes(region), CellKey.reader(region)),
            registration.node(),
            Long.toString(registration.lifetime().toMillis()),
            Boolean.toString(registration.canRead()))
        .thenApply(answer -> new LiveNodes(
            Integer.parseInt(answer.get(0)),
            Optional.ofNullable(answer.get(1)),
            Boolean.parseBoolean(answer.get(2))));
    pipeline.send();
    return live;
  }

  /** {@inheritDoc} Stored without expiry, under {@code tidegate:{region}:identity}. */
  @Override
  public CompletionStage<Optional<String>> identify(String region, String candidate) {
    Objects.requireNonNull(candidate, "candidate must not be null");
    String key = CellKey.identity(region);
    Pipeline pipeline = new Pipeline(connection);
    CompletableFuture<?> stored = pipeline.setIfAbsent(key, candidate);
    CompletableFuture<@Nullable String> held = pipeline.get(key);
    pipeline.send();
    return stored.thenCombine(held, (set, identity) -> {
      if (identity == null) {
        throw new RedisException(
            "the identity of the region was deleted while it was read: " + key);
      }
      return Optional.of(identity);
    });
  }

  /** {@inheritDoc} Fails if the cell has more than 10,000 counts. */
  @Override
  public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    Pipeline pipeline = new Pipeline(connection);
    CompletableFuture<OriginCell> counts = CellStore.inspect(pipeline, region, cell);
    pipeline.send();
    return counts;
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Describes where Redis is, without credentials: {@code Redis at redis://localhost:6379}. */
  @Override
  public String toString() {
    return connection.toString();
  }
}
