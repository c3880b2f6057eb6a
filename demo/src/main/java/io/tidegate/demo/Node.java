package io.tidegate.demo;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One node: a process that runs {@code serve}, on the same ports after each restart. The supervisor
 * launches it and writes its health; any thread may kill it and read.
 */
final class Node {

  /** States for people. */
  enum State {
    STARTING,
    ALIVE,
    KILLED
  }

  private final String name;
  private final int apiPort;
  private final int adminPort;
  private final List<String> flags;
  private final String rootKey;
  private final File log;

  private volatile @Nullable Process process;
  private volatile @Nullable Health health;

  /** Cleared by a client that gets no answer, set by the supervisor. */
  private volatile boolean ready;

  /** Whether the node was killed since it was last ready. */
  private volatile boolean killed;

  Node(String name, int apiPort, int adminPort, String rootKey, Path logs, List<String> flags) {
    this.name = name;
    this.apiPort = apiPort;
    this.adminPort = adminPort;
    this.rootKey = rootKey;
    this.log = logs.resolve(name + ".log").toFile();
    this.flags = List.copyOf(flags);
  }

  String name() {
    return name;
  }

  int apiPort() {
    return apiPort;
  }

  int adminPort() {
    return adminPort;
  }

  /** What the node said last; empty if it does not run or has not answered yet. */
  Optional<Health> health() {
    return Optional.ofNullable(health);
  }

  /** Whether the node reads the counts of other regions. */
  boolean isReading() {
    return health().filter(Health::reading).isPresent();
  }

  /** Whether clients send it requests. */
  boolean isReady() {
    return ready;
  }

  boolean isRunning() {
    Process current = process;
    return current != null && current.isAlive();
  }

  State state() {
    if (!isRunning()) {
      return State.KILLED;
    }
    return ready ? State.ALIVE : State.STARTING;
  }

  /** The id of the process; only while it runs. */
  @Nullable
  Long pid() {
    Process current = process;
    return current != null && current.isAlive() ? (Long) current.pid() : null;
  }

  /** Starts the process, with small flags and compilers that start fast. */
  void launch() {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.io.tmpdir=" + log.getParent())); // a killed JVM leaves native libraries there
    if (Runtime.version().feature() >= 23) { // as ./tidegate: Netty calls methods that JVMs warn of
      command.addAll(
          List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    }
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "io.tidegate.server.Main", "serve"));
    command.addAll(flags);
    command.addAll(List.of(
        "--http-host=127.0.0.1",
        "--http-port=" + apiPort,
        "--admin-port=" + adminPort,
        "--event-loops=1",
        "--max-series=100000"));
    ProcessBuilder builder = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(variable -> variable.startsWith("TIDEGATE_"));
    environment.put("TIDEGATE_FIRST_ROOT_KEY", rootKey);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  /** Ends the process with SIGKILL and returns when it has ended. */
  void kill() {
    Process current = process;
    if (current != null) {
      killed = true;
      ready = false;
      current.destroyForcibly().onExit().join();
    }
  }

  /** A client got no answer, or an error. */
  void failed() {
    ready = false;
  }

  /** Records an answer of {@code /ready}; null if there was none. */
  void report(@Nullable Health reported) {
    health = reported;
    if (reported != null) {
      ready = reported.ready();
      killed &= !ready;
    }
  }

  /** Records that the process has ended. */
  void ended() {
    health = null;
    ready = false;
  }

  /** Whether the node was killed and has not been ready since. */
  boolean wasKilled() {
    return killed;
  }

  /** The last lines of the log. */
  String logTail() {
    try {
      List<String> lines = Files.readAllLines(log.toPath());
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
