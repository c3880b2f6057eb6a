package io.tidegate.redis;

import static java.util.stream.Collectors.groupingBy;

import io.lettuce.core.RedisException;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulConnection;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Commands on sorted sets that are sent in one go, and answered each for itself. */
final class Pipeline {

  private static final StringCodec UTF_8 = StringCodec.UTF8;

  /** In place of a master, for slots that no one has. */
  private static final String NOBODY = "";

  private final List<KeyCommand<?>> commands = new ArrayList<>();

  /** Who is in a set, and with which score. */
  CompletableFuture<List<ScoredValue<String>>> members(String key) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).addKey(key).add(0).add(-1).add(CommandKeyword.WITHSCORES);
    return add(key, CommandType.ZRANGE, new ScoredValueListOutput<>(UTF_8), args);
  }

  /** Raises a score, or leaves it if it is greater. */
  CompletableFuture<Long> raise(String key, String member, long score) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).addKey(key).add(CommandKeyword.GT).add(score).addValue(member);
    return add(key, CommandType.ZADD, new IntegerOutput<>(UTF_8), args);
  }

  /** Lets a set live so long from now: not until a time of day, since clocks may differ. */
  CompletableFuture<Boolean> expire(String key, long millis) {
    CommandArgs<String, String> args = new CommandArgs<>(UTF_8).addKey(key).add(millis);
    return add(key, CommandType.PEXPIRE, new BooleanOutput<>(UTF_8), args);
  }

  private <T> CompletableFuture<T> add(
      String key,
      CommandType type,
      CommandOutput<String, String, T> output,
      CommandArgs<String, String> args) {
    KeyCommand<T> command = new KeyCommand<>(key, new Command<>(type, output, args));
    commands.add(command);
    return command;
  }

  /** Sends all that was added, to each server in that order. */
  void send(Link link) {
    link.asked(commands.size());
    for (KeyCommand<?> command : commands) {
      command.whenComplete((answer, failure) -> link.settled(failure));
    }
    try {
      StatefulConnection<String, String> connection = link.connection();
      if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
        commands.stream()
            .collect(groupingBy(command -> masterOf(command.key, cluster)))
            .forEach((master, group) -> send(group, master, cluster));
      } else {
        connection.dispatch(commands);
      }
    } catch (RuntimeException e) { // whatever it is, none of them may stay unanswered
      fail(commands, e);
    }
  }

  private static String masterOf(
      String key, StatefulRedisClusterConnection<String, String> cluster) {
    RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    return node == null ? NOBODY : node.getNodeId();
  }

  /**
   * Each master by itself, and without waiting for a connection to it: one that is gone holds up
   * nobody but its own.
   */
  private static void send(
      List<KeyCommand<?>> commands,
      String master,
      StatefulRedisClusterConnection<String, String> cluster) {
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

  private static void fail(List<KeyCommand<?>> commands, Throwable failure) {
    commands.forEach(command -> command.completeExceptionally(failure));
  }

  /** A command, and the key that it is about. */
  private static final class KeyCommand<T> extends AsyncCommand<String, String, T> {

    private final String key;

    KeyCommand(String key, RedisCommand<String, String, T> command) {
      super(command);
      this.key = key;
    }
  }
}
