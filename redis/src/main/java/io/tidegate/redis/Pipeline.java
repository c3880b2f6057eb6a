package io.tidegate.redis;

import static java.util.stream.Collectors.groupingBy;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Commands of one key each that are sent together, and answered each for itself. */
final class Pipeline {

  private static final StringCodec UTF_8 = StringCodec.UTF8;

  /** In place of a node id, for slots that no master has. */
  private static final String NO_MASTER = "";

  private final Link link;
  private final List<KeyCommand<?>> commands = new ArrayList<>();

  Pipeline(Link link) {
    this.link = link;
  }

  /** Reads fields of a hash: a value, or null if it is absent, for each field. */
  CompletableFuture<List<@Nullable String>> fields(String key, String... fields) {
    CommandArgs<String, String> args = new CommandArgs<>(UTF_8).addKey(key).addKeys(fields);
    return add(key, CommandType.HMGET, new ValueListOutput<>(UTF_8), args);
  }

  /**
   * Runs a script. Redis is sent its digest, and the source only if the answer is that Redis does
   * not have it: after a restart, a failover, or on the first use. That is no retry, as the command
   * was not run, and the source is accepted in any case.
   */
  CompletableFuture<List<@Nullable String>> run(Script script, String key, String... arguments) {
    return add(CommandType.EVALSHA, script.digest(), key, arguments)
        .exceptionallyCompose(failure -> {
          if (!(failure instanceof RedisNoScriptException)) {
            return CompletableFuture.failedFuture(failure);
          }
          Pipeline again = new Pipeline(link);
          CompletableFuture<List<@Nullable String>> answer =
              again.add(CommandType.EVAL, script.text(), key, arguments);
          again.send();
          return answer;
        });
  }

  /** Stores a value, which does not expire, unless the key has one. */
  CompletableFuture<@Nullable String> setIfAbsent(String key, String value) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).addKey(key).addValue(value).add("NX");
    return add(key, CommandType.SET, new StatusOutput<>(UTF_8), args);
  }

  /** Reads a value; null if it is absent. */
  CompletableFuture<@Nullable String> get(String key) {
    return add(
        key, CommandType.GET, new ValueOutput<>(UTF_8), new CommandArgs<>(UTF_8).addKey(key));
  }

  private CompletableFuture<List<@Nullable String>> add(
      CommandType type, String script, String key, String... arguments) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).add(script).add(1).addKey(key).addValues(arguments);
    return add(key, type, new ValueListOutput<>(UTF_8), args);
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
  void send() {
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

  /** The node id of the master that has the slot of a key; empty if none has. */
  static String masterOf(String key, StatefulRedisClusterConnection<String, String> cluster) {
    RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    return node == null ? NO_MASTER : node.getNodeId();
  }

  /**
   * Sends to one master, without waiting for a connection to it: one that is down delays only its
   * own commands.
   */
  private static void send(
      List<KeyCommand<?>> commands,
      String master,
      StatefulRedisClusterConnection<String, String> cluster) {
    if (master.equals(NO_MASTER)) {
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
