package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The process of a server on loopback: started on a free port, paused, killed and started again.
 *
 * <p>It ends with the JVM at the latest, unless the JVM is killed without a chance to act.
 *
 * <p>Any thread may call. Those that change the life of the process take turns. Asking the server
 * something does not wait for them, so that it can be waiting for a paused server that another
 * thread resumes.
 */
abstract sealed class RealServer implements AutoCloseable permits MariaDbServer, RedisServer {

  /**
   * Redis takes 15 ms, MariaDB 300; the rest is for busy machines and for reading what a crash
   * left.
   */
  private static final Duration START_BOUND = Duration.ofSeconds(30);

  private static final Duration END_BOUND = Duration.ofSeconds(10);

  /** How often a port may be taken by somebody else between our look and the server's start. */
  private static final int PORT_ATTEMPTS = 10;

  /**
   * Added to before the process exists, removed from when it is gone; what the end of the JVM finds
   * here, it closes.
   */
  private static final Set<RealServer> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> OPEN.forEach(RealServer::close), "tidegate-servers-close"));
  }

  private final String name;
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

  RealServer(String name, int port, String... arguments) {
    this.name = name;
    this.port = port;
    this.arguments = List.of(arguments);
  }

  /** Makes a server for a free port, starts it and returns when it answers. */
  static <S extends RealServer> S startOnFreePort(IntFunction<S> maker) {
    for (int attempt = 1; ; attempt++) {
      S server = maker.apply(Ports.free());
      RealServer started = server;
      OPEN.add(server);
      try {
        server.prepare();
        started.launch();
        return server;
      } catch (RuntimeException e) {
        boolean portTaken = started.directory.readOutput().contains("Address already in use");
        server.close();
        if (!portTaken || attempt == PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Called once, before the first launch. */
  void prepare() {}

  /** What to run, the arguments of the caller included. */
  abstract List<String> commandLine();

  /** Whether this very process answers: on its port there may be one that was quicker than ours. */
  abstract boolean answersAs(long pid);

  public int port() {
    return port;
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
    // A child of Redis that writes a snapshot would outlive its parent.
    List<ProcessHandle> children = doomed.children().toList();
    doomed.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    if (!Waiting.until(END_BOUND, () -> !doomed.isAlive())) {
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

  @Override
  public String toString() {
    return name + " on 127.0.0.1:" + port;
  }

  List<String> arguments() {
    return arguments;
  }

  Path directory() {
    return directory.path();
  }

  /** Whether it can be expected to answer. */
  boolean isAnswering() {
    Process current = process;
    return current != null && current.isAlive() && !paused;
  }

  private synchronized void launch() {
    if (closed) {
      throw new IllegalStateException("closed: " + this);
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
      throw new IllegalStateException(
          name + " " + String.join(" ", arguments) + " " + end + ":\n" + directory.readOutput());
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

  private Process running() {
    Process current = process;
    if (current == null || !current.isAlive()) {
      throw new IllegalStateException("not running: " + this);
    }
    return current;
  }
}
