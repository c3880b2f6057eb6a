package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.Server;
import io.tidegate.server.config.ServerConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A server in a JVM with the flags of this one, which runs {@link #main}. It prints a line with its
 * address, and for each line that it reads, a line with its memory usage.
 */
final class ServerProcess implements AutoCloseable {

  /** The servers that are compared. */
  enum Kind {
    TIDEGATE("Tidegate"),
    CONSTANT("a constant");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** Port and root key. */
  record Address(int port, String secret) {}

  /** Live heap and number of series. */
  record Usage(long heapBytes, long series) {}

  private static final int STOP_SECONDS = 10;

  final Kind kind;
  final Address address;
  private final Path directory = Files.createTempDirectory("tidegate-http");
  private final Path errors = directory.resolve("errors.log");
  private final Process process;
  private final BufferedReader answers;

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  ServerProcess(Kind kind, int eventLoops, String... prefix) throws IOException {
    this.kind = kind;
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServerProcess.class.getName(), kind.name(), "" + eventLoops));
    command.add(directory.resolve("data").toString());
    this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    String[] answer = readAnswer();
    this.address = new Address(Integer.parseInt(answer[0]), answer[1]);
  }

  private String[] readAnswer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      String message = Files.readString(errors);
      close();
      throw new IllegalStateException("the server failed: " + message);
    }
    return answer.split(" ", 2);
  }

  Usage usage() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    String[] answer = readAnswer();
    return new Usage(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
  }

  double cpuSeconds() {
    return Cpu.seconds(process.toHandle());
  }

  /** Resident memory; NaN on systems without /proc. */
  double residentBytes() {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Closes the input of the server, which ends it, and kills it if it does not end in time. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * Arguments: the kind of server, its number of event loops and a directory for its data. Ends
   * with its input.
   */
  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    System.setOut(System.err); // other output must not mix with the answers
    try {
      int eventLoops = Integer.parseInt(arguments[1]);
      switch (Kind.valueOf(arguments[0])) {
        case CONSTANT -> {
          answers.println(ConstantServer.start(eventLoops) + " none");
          answer(answers, () -> 0L);
        }
        case TIDEGATE -> serve(answers, eventLoops, arguments[2]);
      }
      System.exit(0); // stops the event loops
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** Prints live heap and series for each line of the input, until its end. */
  private static void answer(PrintStream answers, Callable<Long> series) throws Exception {
    while (System.in.read() == '\n') {
      System.gc();
      long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      answers.println(heapBytes + " " + series.call());
    }
  }

  private static void serve(PrintStream answers, int eventLoops, String data) throws Exception {
    String arguments = "--http-host=127.0.0.1 --http-port=0 --admin-port=0 --stop-delay=0s"
        + " --event-loops=" + eventLoops + " --data=" + data;
    AtomicReference<NewRootKey> key = new AtomicReference<>();
    Server server = Server.start(ServerConfig.of(arguments.split(" ")), key::set);
    try {
      String secret = Objects.requireNonNull(key.get()).secret();
      answers.println(server.httpPort() + " " + secret);
      answer(answers, () -> series(server.adminPort()));
    } finally {
      server.stop();
    }
  }

  private static long series(int adminPort) throws IOException, InterruptedException {
    URI metrics = URI.create("http://127.0.0.1:" + adminPort + "/metrics");
    String name = "tidegate_ratelimit_series ";
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofLines())
        .body()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }
}
