package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server process on free ports, started as by {@code ./tidegate serve}. Closing it checks the
 * log: one line per event, and no secret in any.
 */
final class NodeProcess implements AutoCloseable {

  /** Far longer than needed, so that no test fails on a busy machine. */
  static final Duration LONG = Duration.ofSeconds(60);

  /**
   * Part of the identifiers of tests, so that {@link #close} finds them wherever they are logged.
   */
  static final String PERSON = "anna@example.org";

  private static final Pattern HTTP = Pattern.compile("listening on (https?://[^ ]*:\\d+) ");
  private static final Pattern ADMIN = Pattern.compile("admin +(http://[^ ]*:\\d+)/metrics");
  private static final Pattern GATEWAY = Pattern.compile("gateway +https?://[^ ]*:(\\d+) ");
  private static final Pattern KEY = Pattern.compile("(?m)^  (\\S{20,})$");
  private static final Pattern EVENT = Pattern.compile(
      "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z (ERROR|WARN |INFO |DEBUG) [a-z]\\S*  \\S.*");

  /** Messages of the limiter, Vert.x and the connection pool on a busy machine. */
  private static final Pattern SLOW = Pattern.compile(
      "not answer|no answer|no connection within|timed?.?out|been blocked|starvation",
      Pattern.CASE_INSENSITIVE);

  /** The output of a command that fails, which may be before the log is configured. */
  private static final Pattern COMMAND_ERROR = Pattern.compile("tidegate: \\S.*");

  /** All root keys that processes of this JVM have printed. */
  private static final Set<String> SECRETS = ConcurrentHashMap.newKeySet();

  /** Processes to end with this JVM: a failed test may not have closed them. */
  private static final Set<Process> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> OPEN.forEach(Process::destroyForcibly), "nodes-close"));
  }

  private final Process process;
  private final Output out;
  private final Output err;

  private NodeProcess(Process process) {
    this.process = process;
    OPEN.add(process);
    this.out = new Output(process.getInputStream());
    this.err = new Output(process.getErrorStream());
  }

  /** Starts a process and waits until it listens. */
  static NodeProcess start(String... flags) {
    return launch(flags).awaitStart();
  }

  /** Starts a process without waiting. */
  static NodeProcess launch(String... flags) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= 23) { // same condition as in ./tidegate
      command.addAll(
          List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    }
    command.addAll(List.of(
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        "serve",
        "--http-host=127.0.0.1",
        "--event-loops=2",
        "--max-series=50000")); // for the small heap
    command.addAll(List.of(flags));
    for (String port : List.of("--http-port", "--admin-port")) {
      if (command.stream().noneMatch(flag -> flag.startsWith(port))) {
        command.add(port + "=0");
      }
    }
    try {
      return new NodeProcess(new ProcessBuilder(command).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the startup message. */
  NodeProcess awaitStart() {
    await("the startup message", () -> out.find(ADMIN) != null || !process.isAlive());
    assertThat(process.isAlive()).as(() -> "runs: " + this).isTrue();
    return this;
  }

  /** Waits until {@code /ready} answers 200. */
  NodeProcess awaitReady() {
    awaitStart();
    await("readiness", () -> Client.get(adminUri("/ready")).status() == 200);
    return this;
  }

  /** Waits for the root key that the process prints if the catalog is empty. */
  String key() {
    await("a key to be shown", () -> hasKey() || !process.isAlive());
    String key = out.find(KEY).group(1);
    SECRETS.add(key);
    return key;
  }

  boolean hasKey() {
    return out.find(KEY) != null;
  }

  URI uri(String path) {
    return URI.create(out.find(HTTP).group(1) + path);
  }

  URI adminUri(String path) {
    return URI.create(out.find(ADMIN).group(1) + path);
  }

  /** Waits for the line of the startup message that names the port for gateways. */
  int gatewayPort() {
    await("the gateway port", () -> out.find(GATEWAY) != null || !process.isAlive());
    return Integer.parseInt(out.find(GATEWAY).group(1));
  }

  /** The status in the body of {@code /ready}. */
  String status() {
    Matcher status = Pattern.compile("\"status\":\"([a-z]+)\"")
        .matcher(Client.get(adminUri("/ready")).body());
    assertThat(status.find()).isTrue();
    return status.group(1);
  }

  /** Whether {@code /ready} says that the node reads the counts of other regions. */
  boolean isReading() {
    return Client.get(adminUri("/ready")).body().contains("\"reading\":true");
  }

  String out() {
    return out.text();
  }

  String err() {
    return err.text();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // Process.destroy() would close its output
  }

  /** Sends another signal. */
  void signal(String name) {
    try {
      // The built-in command of the shell: the program is not installed everywhere.
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid()).start();
      assertThat(kill.waitFor()).isZero();
      if (name.equals("STOP")) {
        await("all threads to stop", this::isStopped);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether all threads have stopped: one that has not may still answer a request. */
  private boolean isStopped() {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    if (!Files.isDirectory(threads)) {
      return true; // not on Linux
    }
    try (Stream<Path> all = Files.list(threads)) {
      return all.allMatch(thread -> state(thread) == 'T');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The state of a thread, which follows its name in parentheses. */
  private static char state(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return 'T'; // it has ended
    }
  }

  long pid() {
    return process.pid();
  }

  /** Sends SIGKILL and waits for the end of the process. */
  void kill() {
    process.toHandle().destroyForcibly();
    exitCode();
  }

  /** Waits for the end of the process and its output. */
  int exitCode() {
    try {
      assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
          .as(() -> "ended: " + this)
          .isTrue();
      out.reader.join();
      err.reader.join();
      OPEN.remove(process);
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void await(String what, BooleanSupplier condition) {
    await(() -> what + " of " + this, condition);
  }

  /** Waits for a condition that depends on another process. */
  static void await(Supplier<String> what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> "waited for: " + what.get()).isLessThan(deadline);
      pause(Duration.ofMillis(20));
    }
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Warnings and errors of the log, without those that a busy machine can cause. */
  List<String> warnings() {
    return err()
        .lines()
        .filter(line -> !line.contains("Z INFO ") && !line.contains("Z DEBUG "))
        .filter(line -> !SLOW.matcher(line).find())
        .toList();
  }

  @Override
  public void close() {
    kill();
    assertThat(err()
            .lines()
            .filter(line ->
                !EVENT.matcher(line).matches() && !COMMAND_ERROR.matcher(line).matches()))
        .as("lines that are not events")
        .isEmpty();
    assertThat(err()).doesNotContain(PERSON);
    assertThat(out()).doesNotContain(PERSON);
    SECRETS.forEach(secret -> assertThat(err()).doesNotContain(secret));
  }

  @Override
  public String toString() {
    return "process " + process.pid() + (process.isAlive() ? "" : " (ended)") + "\n" + out()
        + err();
  }

  /** Output of the process, read by its own thread so that the process never blocks. */
  private static final class Output {

    @SuppressWarnings("JdkObsolete") // written by the reader and read by tests
    private final StringBuffer text = new StringBuffer();

    private final Thread reader;

    Output(InputStream in) {
      reader = new Thread(() -> read(in), "node-output");
      reader.setDaemon(true);
      reader.start();
    }

    private void read(InputStream in) {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          text.append(line).append('\n');
        }
      } catch (IOException e) {
        text.append("cannot read the output: ").append(e).append('\n');
      }
    }

    /** The first match; null if there is none yet. */
    Matcher find(Pattern pattern) {
      Matcher matcher = pattern.matcher(text());
      return matcher.find() ? matcher : null;
    }

    String text() {
      return text.toString();
    }
  }
}
