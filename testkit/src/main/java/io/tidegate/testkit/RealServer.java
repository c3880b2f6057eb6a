package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A server process on loopback that can be paused, killed and restarted.
 *
 * <p>The process ends with the JVM at the latest, unless the JVM is killed.
 *
 * <p>Any thread may call. Methods that change the state of the process exclude each other. Queries
 * do not wait for them, so that one thread can wait for a paused server that another one resumes.
 */
abstract sealed class RealServer implements AutoCloseable
    permits EnvoyServer, MariaDbServer, ProxyServer, RedisServer {

  /**
   * Redis takes 15 ms, MariaDB and Envoy 300 ms; the rest is for busy machines and crash recovery.
   */
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(10);

  /** Another process may take a port between the check and the start of the server. */
  private static final int PORT_ATTEMPTS = 10;

  /** The servers to close when the JVM ends. Added before their process exists. */
  private static final Set<RealServer> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> OPEN.forEach(RealServer::close), "tidegate-servers-close"));
  }

  private final String name;
  private final int port;
  final List<String> arguments;

  /** Temporary, for the data and the output of the server. */
  final Path directory;

  private final Path output;

  /** Written under this object's lock, read by any thread. Null before the first launch only. */
  private volatile @Nullable Process process;

  /** Written and read like the process. */
  private volatile boolean paused;

  /** Guarded by this. */
  private boolean closed;

  RealServer(String name, int port, String... arguments) {
    this.name = name;
    this.port = port;
    this.arguments = List.of(arguments);
    try {
      this.directory = Files.createTempDirectory("tidegate-server-");
      this.output = directory.resolve("output.log");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a directory for " + name, e);
    }
  }

  /** Starts a server on a free port and returns when it answers. */
  static <S extends RealServer> S startOnFreePort(IntFunction<S> constructor) {
    for (int attempt = 1; ; attempt++) {
      S started = constructor.apply(Ports.free());
      RealServer server = started;
      OPEN.add(server);
      try {
        server.prepare();
        server.launch();
        return started;
      } catch (IOException | RuntimeException e) {
        boolean portTaken = server.output().contains("Address already in use");
        server.close();
        if (!portTaken || attempt == PORT_ATTEMPTS) {
          throw new IllegalStateException("cannot start a server: " + e.getMessage(), e);
        }
      }
    }
  }

  /** Creates files in the directory, once, before the first launch. */
  abstract void prepare() throws IOException;

  /** The command to run, including the arguments of the caller. */
  abstract List<String> commandLine();

  /** Whether the process with this id answers: another process may have taken the port. */
  abstract boolean answersAs(long pid);

  public int port() {
    return port;
  }

  /**
   * The id of the process.
   *
   * @throws IllegalStateException if it does not run
   */
  public long pid() {
    return running().pid();
  }

  /** User and system time of the process since its last start; on Linux in steps of 10 ms. */
  public Duration cpuTime() {
    return running().info().totalCpuDuration().orElseThrow();
  }

  /** Stops the process with SIGSTOP: it accepts connections and answers nothing. */
  public synchronized void pause() {
    signal("STOP", true);
  }

  /** Continues a paused process, which then handles everything it was sent. */
  public synchronized void resume() {
    signal("CONT", false);
  }

  /** Sends a signal that Java cannot send, and returns when it has taken effect. */
  private void signal(String signal, boolean stops) {
    String pid = Long.toString(pid());
    // The shell's built-in kill: the program of this name is not installed everywhere.
    Binaries.run(Redirect.PIPE, List.of("sh", "-c", "kill -s " + signal + " " + pid));
    if (!Waiting.until(SIGNAL_TIMEOUT, () -> isStopped(pid, stops) == stops)) {
      throw new IllegalStateException("process " + pid + " ignores " + signal);
    }
    paused = stops;
  }

  /** Reads the state of a process; the expected one on a system without /proc. */
  private static boolean isStopped(String pid, boolean expected) {
    try {
      String status = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
      return status.charAt(status.lastIndexOf(')') + 2) == 'T'; // the state follows "(name) "
    } catch (IOException e) {
      return expected;
    }
  }

  /** Ends the process with SIGKILL and returns when it has ended. Does nothing if it has. */
  public synchronized void kill() {
    Process doomed = process;
    if (doomed == null) {
      return;
    }
    // A child of Redis that writes a snapshot would outlive its parent.
    List<ProcessHandle> children = doomed.children().toList();
    doomed.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    if (!Waiting.until(SIGNAL_TIMEOUT, () -> !doomed.isAlive())) {
      throw new IllegalStateException("process " + doomed.pid() + " survives SIGKILL");
    }
  }

  /** Kills the process if it runs, and starts it with the same port, arguments and directory. */
  public synchronized void restart() {
    kill();
    launch();
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
      Binaries.delete(directory);
      OPEN.remove(this);
    }
  }

  @Override
  public String toString() {
    return name + " on 127.0.0.1:" + port;
  }

  boolean isAnswering() {
    Process current = process;
    return current != null && current.isAlive() && !paused;
  }

  private synchronized void launch() {
    if (closed) {
      throw new IllegalStateException("closed: " + this);
    }
    Process launched;
    try {
      launched = new ProcessBuilder(commandLine())
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile()) // which need not be read while it runs
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = launched;
    paused = false;
    boolean decided =
        Waiting.until(START_TIMEOUT, () -> !launched.isAlive() || answersAs(launched.pid()));
    if (!decided || !launched.isAlive()) {
      String end =
          launched.isAlive() ? "does not answer" : "ended with code " + launched.exitValue();
      throw new IllegalStateException(
          name + " " + String.join(" ", arguments) + " " + end + ":\n" + output());
    }
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "(no output: " + e + ")";
    }
  }

  private Process running() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException("not running: " + this);
    }
    return current;
  }
}
