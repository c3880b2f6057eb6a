package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server on loopback. It stores nothing on disk unless its arguments say so; with
 * {@code --appendonly yes --appendfsync always}, acknowledged writes survive {@link #kill}.
 */
public final class RedisServer extends RealServer {

  /** Much more than a command of a test takes. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

  /** Name of the program in the jar. The version keeps programs of older jars from being used. */
  private static final String PACKED = "redis-server-7.0.15-" + Binaries.platform();

  private static final String SENTINEL = "--sentinel";

  private RedisServer(int port, String... arguments) {
    super("redis-server", port, arguments);
  }

  /**
   * Starts a server on a free port and returns when it answers.
   *
   * @param arguments arguments of redis-server, such as {@code "--maxmemory", "5mb"}
   * @throws IllegalStateException with the output of Redis if it does not start
   */
  public static RedisServer start(String... arguments) {
    return startOnFreePort(port -> new RedisServer(port, arguments));
  }

  /**
   * Starts a Redis Sentinel, which monitors nothing until it receives {@code SENTINEL MONITOR}.
   * Otherwise like {@link #start}.
   */
  public static RedisServer startSentinel(String... arguments) {
    return start(
        Stream.concat(Stream.of(SENTINEL), Arrays.stream(arguments)).toArray(String[]::new));
  }

  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /**
   * Sends a command on a new connection.
   *
   * @return the parts of the reply as text, arrays flattened; empty if the reply is nil
   * @throws RedisReplyException if Redis answers with an error
   * @throws UncheckedIOException if it is unreachable or does not answer within ten seconds
   */
  public List<@Nullable String> call(String... command) {
    try {
      return call(CALL_TIMEOUT, command);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no answer from " + uri() + " to " + String.join(" ", command), e);
    }
  }

  private List<@Nullable String> call(Duration timeout, String... command) throws IOException {
    try (Resp resp = new Resp(port(), timeout)) {
      int password = arguments.indexOf("--requirepass") + 1;
      if (password > 0) {
        resp.call("AUTH", arguments.get(password));
      }
      return resp.call(command);
    }
  }

  /** A Sentinel stores its state in the file and rejects settings of a data server. */
  @Override
  void prepare() throws IOException {
    Files.writeString(
        configuration(), arguments.contains(SENTINEL) ? "" : "save \"\"\nappendonly no\n");
  }

  private Path configuration() {
    return directory.resolve("redis.conf");
  }

  /** The last of equal arguments wins: callers override the defaults, but not the port. */
  @Override
  List<String> commandLine() {
    List<String> command = new ArrayList<>();
    command.add(Binaries.find("tidegate.redis.binary", RedisServer::unpacked, "redis-server")
        .toString());
    command.add(configuration().toString());
    command.addAll(arguments);
    command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port())));
    command.addAll(List.of("--dir", directory.toString()));
    return command;
  }

  private static Optional<Path> unpacked() {
    return Optional.ofNullable(RedisServer.class.getResource("/" + PACKED))
        .map(packed -> Binaries.cached(PACKED, target -> Binaries.unpack("/" + PACKED, target)));
  }

  @Override
  boolean answersAs(long pid) {
    try {
      return call(PROBE_TIMEOUT, "PING").contains("PONG")
          && call(PROBE_TIMEOUT, "INFO", "server")
              .toString()
              .contains("process_id:" + pid + "\r\n");
    } catch (IOException | RedisReplyException e) {
      return false;
    }
  }
}
