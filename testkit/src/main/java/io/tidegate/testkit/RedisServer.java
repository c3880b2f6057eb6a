package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on loopback that can be paused, killed and started again.
 *
 * <p>It keeps nothing on disk unless its arguments say so. What a server with {@code --appendonly
 * yes} has answered survives {@link #kill} for certain only with {@code --appendfsync always}.
 *
 * <p>It ends with the JVM at the latest, unless the JVM is killed without a chance to act.
 *
 * <p>Any thread may call. Those that change the life of the process take turns; {@link #call} does
 * not wait for them, so that it can be waiting for a paused server that another thread resumes.
 */
public final class RedisServer implements AutoCloseable {

  /** A start takes 15 ms; the rest is for busy machines and for reading a file. */
  private static final Duration START_BOUND = Duration.ofSeconds(30);

  /** Much more than any test command takes, and less than a build should hang. */
  private static final Duration CALL_BOUND = Duration.ofSeconds(10);

  /** How often a port may be taken by somebody else between our look and Redis's start. */
  private static final int PORT_ATTEMPTS = 10;

  /**
   * Added to before the process exists, removed from when it is gone; what the end of the JVM finds
   * here, it closes.
   */
  private static final Set<RedisServer> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> OPEN.forEach(RedisServer::close), "tidegate-redis-close"));
  }

  private final int port;
  private final List<String> arguments;
  private final ServerDirectory directory = ServerDirectory.create();

  /**
   * Written in turn with the other changes of life; read by anyone. Absent before the first launch
   * only.
   */
  private volatile @Nullable Process process;

  /** Written like the process. */
  private volatile boolean paused;

  /** Guarded by this. */
  private boolean closed;

  private RedisServer(int port, String... arguments) {
    this.port = port;
    this.arguments = List.of(arguments);
  }

  /**
   * Starts a server on a free port and returns when it answers.
   *
   * @param arguments as redis-server takes them, for example {@code "--maxmemory", "5mb"}
   * @throws IllegalStateException with the output of Redis if it does not start
   */
  public static RedisServer start(String... arguments) {
    for (int attempt = 1; ; attempt++) {
      RedisServer server = new RedisServer(Ports.free(), arguments);
      OPEN.add(server);
      try {
        server.launch();
        return server;
      } catch (RuntimeException e) {
        boolean portTaken = server.directory.readOutput().contains("Address already in use");
        server.close();
        if (!portTaken || attempt == PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public long pid() {
    return running().pid();
  }

  /**
   * User and system time that the process has taken since its last start; on Linux in steps of 10
   * ms.
   */
  public Duration cpuTime() {
    return running()
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException(
            "this system does not tell the CPU time of process " + pid()));
  }

  /**
   * Stops the process where it stands: connections stay open, new ones are even accepted, but
   * nothing is answered.
   */
  public synchronized void pause() {
    Process running = running();
    Signal.STOP.sendTo(running);
    paused = true;
  }

  /** Lets a paused process go on; what was sent to it meanwhile is done now. */
  public synchronized void resume() {
    Signal.CONT.sendTo(running());
    paused = false;
  }

  /** Ends the process as a crash would, and returns when it is gone. Does nothing if it is. */
  public synchronized void kill() {
    Process doomed = process;
    if (doomed == null) {
      return;
    }
    // A child that writes a snapshot would outlive its parent.
    List<ProcessHandle> children = doomed.children().toList();
    doomed.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    if (!Waiting.until(CALL_BOUND, () -> !doomed.isAlive())) {
      throw new IllegalStateException("process " + doomed.pid() + " does not die");
    }
  }

  /**
   * Starts again with the same port, arguments and directory, after {@link #kill} if it still runs.
   */
  public synchronized void restart() {
    kill();
    launch();
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

  /** Whether it can be expected to answer. */
  boolean isAnswering() {
    Process current = process;
    return current != null && current.isAlive() && !paused;
  }

  /** Ends the process, paused or not, and deletes its directory. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      kill();
    } finally {
      directory.delete();
      OPEN.remove(this);
    }
  }

  private synchronized void launch() {
    if (closed) {
      throw new IllegalStateException("closed: " + uri());
    }
    Process launched = run(commandLine());
    process = launched;
    paused = false;
    boolean answered =
        Waiting.until(START_BOUND, () -> !launched.isAlive() || answersAs(launched.pid()))
            && launched.isAlive();
    if (!answered) {
      String end =
          launched.isAlive() ? "does not answer" : "ended with code " + launched.exitValue();
      throw new IllegalStateException("redis-server " + String.join(" ", arguments) + " " + end
          + ":\n" + directory.readOutput());
    }
  }

  private Process run(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .directory(directory.path().toFile())
          .redirectErrorStream(true)
          .redirectOutput(directory.output().toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command.get(0), e);
    }
  }

  /**
   * The last of equal arguments counts: callers override the defaults, but not where to find the
   * server.
   */
  private List<String> commandLine() {
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.find().toString());
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    command.addAll(arguments);
    command.addAll(List.of(
        "--bind",
        "127.0.0.1",
        "--port",
        Integer.toString(port),
        "--dir",
        directory.path().toString()));
    return command;
  }

  /** The process is asked who it is: on this port there may be one that was quicker than ours. */
  private boolean answersAs(long pid) {
    try (Resp resp = connect(Duration.ofSeconds(1))) {
      return resp.call("PING").contains("PONG")
          && resp.call("INFO", "server").toString().contains("process_id:" + pid + "\r\n");
    } catch (IOException | RedisReplyException e) {
      return false;
    }
  }

  private Resp connect(Duration timeout) throws IOException {
    Resp resp = new Resp(port, timeout);
    int password = arguments.indexOf("--requirepass") + 1;
    if (password > 0 && password < arguments.size()) {
      try {
        resp.call("AUTH", arguments.get(password));
      } catch (IOException | RuntimeException e) {
        resp.close();
        throw e;
      }
    }
    return resp;
  }

  private Process running() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException("not running: " + uri());
    }
    return current;
  }
}
