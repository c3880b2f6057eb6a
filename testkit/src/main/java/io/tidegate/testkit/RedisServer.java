package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private final Path configuration = directory.resolve("redis.conf");

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
    List<String> all = new ArrayList<>(List.of("--sentinel"));
    all.addAll(List.of(arguments));
    return start(all.toArray(String[]::new));
  }

  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /**
   * Sends a command on a new connection.
   *
   * @return the parts of the reply as text, arrays flattened; empty if the reply is nil
   * @throws IllegalStateException with the message of Redis if it answers with an error
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
    boolean sentinel = arguments.contains("--sentinel");
    Files.writeString(configuration, sentinel ? "" : "save \"\"\nappendonly no\n");
  }

  /** The last of equal arguments wins: callers override the defaults, but not the port. */
  @Override
  List<String> commandLine() {
    Path program = Binaries.find("tidegate.redis.binary", RedisServer::unpacked, "redis-server");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), configuration.toString()));
    command.addAll(arguments);
    command.addAll(List.of("--bind", "127.0.0.1", "--port", "" + port(), "--dir", "" + directory));
    return command;
  }

  private static Optional<Path> unpacked() {
    return Optional.ofNullable(RedisServer.class.getResource("/" + PACKED))
        .map(packed -> Binaries.cached(PACKED, target -> Binaries.unpack("/" + PACKED, target)));
  }

  @Override
  boolean answersAs(long pid) {
    try {
      String info = call(PROBE_TIMEOUT, "INFO", "server").toString();
      return call(PROBE_TIMEOUT, "PING").contains("PONG")
          && info.contains("process_id:" + pid + "\r\n");
    } catch (IOException | IllegalStateException e) {
      return false;
    }
  }
}
