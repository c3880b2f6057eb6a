package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on loopback that can be paused, killed and started again.
 *
 * <p>It keeps nothing on disk unless its arguments say so. What a server with {@code --appendonly
 * yes} has answered survives {@link #kill} for certain only with {@code --appendfsync always}.
 */
public final class RedisServer extends RealServer {

  /** Much more than any test command takes, and less than a build should hang. */
  private static final Duration CALL_BOUND = Duration.ofSeconds(10);

  private static final String SENTINEL = "--sentinel";

  private RedisServer(int port, String... arguments) {
    super("redis-server", port, arguments);
  }

  /**
   * Starts a server on a free port and returns when it answers.
   *
   * @param arguments as redis-server takes them, for example {@code "--maxmemory", "5mb"}
   * @throws IllegalStateException with the output of Redis if it does not start
   */
  public static RedisServer start(String... arguments) {
    return startOnFreePort(port -> new RedisServer(port, arguments));
  }

  /**
   * Starts a Redis Sentinel on a free port. It monitors nothing until it is sent {@code SENTINEL
   * MONITOR}.
   *
   * @param arguments as redis-server takes them, for example {@code "--requirepass", "secret"}
   * @throws IllegalStateException with the output of Redis if it does not start
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
   * Asks the server directly, on a connection of its own that is closed afterwards.
   *
   * @return the parts of the reply as text, arrays flattened; an empty list if the reply as a whole
   *     is nil
   * @throws RedisReplyException if Redis answers with an error
   * @throws UncheckedIOException if it does not answer within ten seconds, or cannot be reached
   */
  public List<@Nullable String> call(String... command) {
    try (Resp resp = connect(CALL_BOUND)) {
      return resp.call(command);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no answer from " + uri() + " to " + String.join(" ", command), e);
    }
  }

  /** Creates the file that a Sentinel keeps its state in, and does not start without. */
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

  /**
   * The last of equal arguments counts: callers override the defaults, but not where to find the
   * server.
   */
  @Override
  List<String> commandLine() {
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.find().toString());
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
