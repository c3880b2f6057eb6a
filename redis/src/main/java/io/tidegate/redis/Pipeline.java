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

/**
 * Commands that are sent together. Each command completes on its own. If it has several keys, they
 * have one hash tag, so that one master of a cluster stores them all. Used by one thread; the
 * answers arrive on a thread of the client.
 */
final class Pipeline {

  private static final StringCodec UTF_8 = StringCodec.UTF8;

  /** Node id of slots that no master has. */
  private static final String NO_MASTER = "";

  private final ManagedConnection connection;
  private final List<KeyCommand<?>> commands = new ArrayList<>();

  Pipeline(ManagedConnection connection) {
    this.connection = connection;
  }

  /** Reads fields of a hash; the value of an absent field is null. */
  CompletableFuture<List<@Nullable String>> fields(String key, String... fields) {
    CommandArgs<String, String> args = new CommandArgs<>(UTF_8).addKey(key).addKeys(fields);
    return add(key, CommandType.HMGET, new ValueListOutput<>(UTF_8), args);
  }

  /**
   * Runs a script. Sends its digest, and the source only if Redis answers that it does not have the
   * script: on the first use, after a restart or a failover. This is not a retry of a failed call,
   * since the first command was not run.
   */
  CompletableFuture<List<@Nullable String>> run(
      Script script, List<String> keys, String... arguments) {
    return add(CommandType.EVALSHA, script.digest(), keys, arguments)
        .exceptionallyCompose(failure -> {
          if (!(failure instanceof RedisNoScriptException)) {
            return CompletableFuture.failedFuture(failure);
          }
          Pipeline again = new Pipeline(connection);
          CompletableFuture<List<@Nullable String>> answer =
              again.add(CommandType.EVAL, script.text(), keys, arguments);
          again.send();
          return answer;
        });
  }

  /** Stores a value without expiry, unless the key exists. */
  CompletableFuture<@Nullable String> setIfAbsent(String key, String value) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).addKey(key).addValue(value).add("NX");
    return add(key, CommandType.SET, new StatusOutput<>(UTF_8), args);
  }

  /** Reads a value; null if the key does not exist. */
  CompletableFuture<@Nullable String> get(String key) {
    return add(
        key, CommandType.GET, new ValueOutput<>(UTF_8), new CommandArgs<>(UTF_8).addKey(key));
  }

  private CompletableFuture<List<@Nullable String>> add(
      CommandType type, String script, List<String> keys, String... arguments) {
    CommandArgs<String, String> args =
        new CommandArgs<>(UTF_8).add(script).add(keys.size()).addKeys(keys).addValues(arguments);
    return add(keys.get(0), type, new ValueListOutput<>(UTF_8), args);
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

  /** Sends all commands, to each server in the order in which they were added. */
  @SuppressWarnings("FutureReturnValueIgnored") // whenComplete: callers hold the command itself
  void send() {
    connection.sent(commands.size());
    for (KeyCommand<?> command : commands) {
      command.whenComplete((answer, failure) -> connection.settled(failure));
    }
    try {
      StatefulConnection<String, String> current = connection.current();
      if (current instanceof StatefulRedisClusterConnection<String, String> cluster) {
        commands.stream()
            .collect(groupingBy(command -> masterOf(command.key, cluster)))
            .forEach((master, group) -> send(group, master, cluster));
      } else {
        current.dispatch(commands);
      }
    } catch (RuntimeException e) { // no command may stay incomplete
      fail(commands, e);
    }
  }

  /** Returns the node id of the master that has the slot of a key; empty if none has. */
  static String masterOf(String key, StatefulRedisClusterConnection<String, String> cluster) {
    RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    return node == null ? NO_MASTER : node.getNodeId();
  }

  /**
   * Sends commands to one master, without blocking until it is connected: a master that is down
   * delays only its own commands.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // every failure completes the commands
  private static void send(
      List<KeyCommand<?>> commands,
      String master,
      StatefulRedisClusterConnection<String, String> cluster) {
    if (master.equals(NO_MASTER)) {
      fail(commands, new RedisException("no master of the cluster has the slot of these keys"));
      return;
    }
    cluster.getConnectionAsync(master).whenComplete((node, failure) -> {
      try {
        if (failure != null) {
          fail(commands, failure);
        } else {
          node.dispatch(commands);
        }
      } catch (RuntimeException e) {
        fail(commands, e);
      }
    });
  }

  private static void fail(List<KeyCommand<?>> commands, Throwable failure) {
    commands.forEach(command -> command.completeExceptionally(failure));
  }

  /** A command with the key that decides where it is sent. */
  private static final class KeyCommand<T> extends AsyncCommand<String, String, T> {

    private final String key;

    KeyCommand(String key, RedisCommand<String, String, T> command) {
      super(command);
      this.key = key;
    }
  }
}
