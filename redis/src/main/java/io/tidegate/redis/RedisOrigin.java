package io.tidegate.redis;

import static java.util.stream.Collectors.groupingBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.BooleanOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandKeyword;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>A cell is a sorted set, in which every writer is a member and its count the score. {@code ZADD
 * GT} raises a score and never lowers one, which is all that a replay needs: no script, no
 * transaction, and nothing to undo.
 */
public final class RedisOrigin implements RegionalOrigin {

  /**
   * The next cell still needs this one, and a node whose clock is behind needs it a while longer.
   */
  private static final int LIFE_WINDOWS = 3;

  /**
   * Most commands that wait for an answer. While Redis stands still they are kept here and in the
   * network's buffers; what does not fit fails, and is sent later.
   */
  private static final int MOST_UNANSWERED = 1 << 16;

  /** Scores are exact up to here, far beyond what one node can count. */
  private static final long MOST_COUNTED = 1L << 53;

  /** In place of a master, for slots that no one has. */
  private static final String NOBODY = "";

  /** Between two looks at who has which slots, when answers show that they have moved. */
  private static final long LOOK_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  private static final StringCodec UTF_8 = StringCodec.UTF8;

  private final Link link;

  /** Looks again at who has which slots. */
  private final Runnable lookAgain;

  private final AtomicLong lookedAgainNanos = new AtomicLong(System.nanoTime() - LOOK_AGAIN_NANOS);

  private RedisOrigin(Link link, Runnable lookAgain) {
    this.link = link;
    this.lookAgain = lookAgain;
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
    return connected(
        new Link(client, name(parsed), () -> client.connectAsync(UTF_8, parsed)), () -> {});
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
    return connected(
        new Link(
            client,
            "the Redis Cluster of " + name(parsed.get(0)),
            () -> client.refreshPartitionsAsync().thenCompose(done -> client.connectAsync(UTF_8))),
        client::refreshPartitionsAsync);
  }

  private static RedisOrigin connected(Link link, Runnable lookAgain) {
    link.awaitFirstAttempt();
    return new RedisOrigin(link, lookAgain);
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
    List<Pending<?>> commands = new ArrayList<>(cells.size());
    List<CompletableFuture<RegionalCount>> counts = new ArrayList<>(cells.size());
    for (WindowCell cell : cells) {
      counts.add(parts(CellKey.of(writer.region(), cell), writer, commands));
    }
    send(commands);
    return CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new))
        .thenApply(done -> counts.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    List<Pending<?>> commands = new ArrayList<>(3 * counts.size());
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>(counts.size());
    for (OwnCount own : counts) {
      Writer writer = own.writer();
      String key = CellKey.of(writer.region(), own.cell());
      CompletableFuture<RegionalCount> before = parts(key, writer, commands);
      CompletableFuture<Long> raised = raise(key, own, commands);
      CompletableFuture<Boolean> expires = expire(key, own, commands);
      answers.add(before
          .thenCombine(raised, (count, added) -> count)
          .thenCombine(expires, RedisOrigin::confirmed));
    }
    send(commands);
    return answers;
  }

  private static RegionalCount confirmed(RegionalCount count, boolean expires) {
    if (!expires) {
      throw new RedisException("the cell was lost between being raised and being given an end");
    }
    return count;
  }

  private static CompletableFuture<RegionalCount> parts(
      String key, Writer writer, List<Pending<?>> commands) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).addKey(key).add(0).add(-1).add(CommandKeyword.WITHSCORES);
    return add(commands, key, CommandType.ZRANGE, new ScoredValueListOutput<>(UTF_8), args)
        .thenApply(parts -> sum(parts, writer));
  }

  private static RegionalCount sum(List<ScoredValue<String>> parts, Writer writer) {
    String member = CellKey.member(writer.name());
    long total = 0;
    long own = 0;
    for (ScoredValue<String> part : parts) {
      long count = (long) part.getScore();
      if (count < 0 || count > MOST_COUNTED) {
        throw new IllegalArgumentException(
            "nobody can have counted " + part.getScore() + ", as " + part.getValue() + " has");
      }
      total += count;
      own += part.getValue().equals(member) ? count : 0;
    }
    return new RegionalCount(total, own);
  }

  private static CompletableFuture<Long> raise(
      String key, OwnCount own, List<Pending<?>> commands) {
    CommandArgs<String, String> args = new CommandArgs<>(UTF_8)
        .addKey(key)
        .add(CommandKeyword.GT)
        .add(own.count())
        .addValue(CellKey.member(own.writer().name()));
    return add(commands, key, CommandType.ZADD, new IntegerOutput<>(UTF_8), args);
  }

  /**
   * With every count: only then is there no way for a cell to be made anew, after a loss or a long
   * stall, without an end to its life. By the time that passes, since clocks may differ.
   */
  private static CompletableFuture<Boolean> expire(
      String key, OwnCount own, List<Pending<?>> commands) {
    CommandArgs<String, String> args = new CommandArgs<>(UTF_8)
        .addKey(key)
        .add(LIFE_WINDOWS * own.cell().series().scope().windowMillis());
    return add(commands, key, CommandType.PEXPIRE, new BooleanOutput<>(UTF_8), args);
  }

  private static <T> CompletableFuture<T> add(
      List<Pending<?>> commands,
      String key,
      CommandType type,
      CommandOutput<String, String, T> output,
      CommandArgs<String, String> args) {
    Pending<T> command = new Pending<>(key, new Command<>(type, output, args));
    commands.add(command);
    return command;
  }

  /** A command on a key. */
  private static final class Pending<T> extends AsyncCommand<String, String, T> {

    private final String key;

    Pending(String key, RedisCommand<String, String, T> command) {
      super(command);
      this.key = key;
    }
  }

  /** Sends all in one go, and to each server in their order. */
  private void send(List<Pending<?>> commands) {
    link.asked(commands.size());
    for (Pending<?> command : commands) {
      command.whenComplete((answer, failure) -> settled(failure));
    }
    try {
      StatefulConnection<String, String> connection = link.connection();
      if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
        commands.stream()
            .collect(groupingBy(command -> masterOf(command.key, cluster)))
            .forEach((master, group) -> send(group, cluster, master));
      } else {
        connection.dispatch(commands);
      }
    } catch (RuntimeException e) { // whatever it is, none of them may stay unanswered
      fail(commands, e);
    }
  }

  private void settled(@Nullable Throwable failure) {
    boolean refused = failure instanceof RedisCommandExecutionException;
    link.settled(failure == null || refused);
    if (refused && String.valueOf(failure.getMessage()).startsWith("MOVED")) {
      long looked = lookedAgainNanos.get();
      long now = System.nanoTime();
      if (now - looked >= LOOK_AGAIN_NANOS && lookedAgainNanos.compareAndSet(looked, now)) {
        lookAgain.run();
      }
    }
  }

  /**
   * Each master by itself, and without waiting for a connection to it: one that is gone holds up
   * nobody but its own.
   */
  private void send(
      List<Pending<?>> commands,
      StatefulRedisClusterConnection<String, String> cluster,
      String master) {
    if (master.equals(NOBODY)) {
      fail(commands, new RedisException("no master of the cluster has the slot of these keys"));
      return;
    }
    cluster.getConnectionAsync(master).whenComplete((connection, failure) -> {
      try {
        if (failure != null) {
          fail(commands, failure);
        } else {
          connection.dispatch(commands);
        }
      } catch (RuntimeException e) {
        fail(commands, e);
      }
    });
  }

  private static void fail(List<Pending<?>> commands, Throwable failure) {
    commands.forEach(command -> command.completeExceptionally(failure));
  }

  private static String masterOf(
      String key, StatefulRedisClusterConnection<String, String> cluster) {
    RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    return node == null ? NOBODY : node.getNodeId();
  }

  @Override
  public void close() {
    link.close();
  }
}
