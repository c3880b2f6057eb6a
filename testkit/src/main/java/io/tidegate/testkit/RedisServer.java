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
    String[] all =
        Stream.concat(Stream.of(SENTINEL), Arrays.stream(arguments)).toArray(String[]::new);
    return start(all);
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
    try (Resp resp = connect(CALL_TIMEOUT)) {
      return resp.call(command);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no answer from " + uri() + " to " + String.join(" ", command), e);
    }
  }

  /** Creates the file for the state of a Sentinel, which does not start without it. */
  @Override
  void prepare() {
    if (isSentinel()) {
      try {
        Files.createFile(sentinelFile());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot create " + sentinelFile(), e);
      }
    }
  }

  private boolean isSentinel() {
    return arguments().contains(SENTINEL);
  }

  private Path sentinelFile() {
    return directory().resolve("sentinel.conf");
  }

  /** The last of equal arguments wins: callers override the defaults, but not the port. */
  @Override
  List<String> commandLine() {
    List<String> command = new ArrayList<>();
    command.add(Binaries.find("tidegate.redis.binary", RedisServer::unpacked, "redis-server")
        .toString());
    command.addAll(
        isSentinel()
            ? List.of(sentinelFile().toString())
            : List.of("--save", "", "--appendonly", "no"));
    command.addAll(arguments());
    command.addAll(List.of(
        "--bind",
        "127.0.0.1",
        "--port",
        Integer.toString(port()),
        "--dir",
        directory().toString()));
    return command;
  }

  private static Optional<Path> unpacked() {
    return Optional.ofNullable(RedisServer.class.getResource("/" + PACKED))
        .map(packed -> Binaries.cached(PACKED, target -> Binaries.unpack("/" + PACKED, target)));
  }

  @Override
  boolean answersAs(long pid) {
    try (Resp resp = connect(Duration.ofSeconds(1))) {
      return resp.call("PING").contains("PONG")
          && resp.call("INFO", "server").toString().contains("process_id:" + pid + "\r\n");
    } catch (IOException | RedisReplyException e) {
      return false;
    }
  }

  private Resp connect(Duration timeout) throws IOException {
    Resp resp = new Resp(port(), timeout);
    int password = arguments().indexOf("--requirepass") + 1;
    if (password > 0 && password < arguments().size()) {
      try {
        resp.call("AUTH", arguments().get(password));
      } catch (IOException | RuntimeException e) {
        resp.close();
        throw e;
      }
    }
    return resp;
  }
}
