package io.tidegate.benchmarks.load;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.Server;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** Tidegate's server in a JVM of its own, on loopback. */
public final class TidegateProcess implements AutoCloseable {

  /** Ports and root key. */
  public record Address(int port, int adminPort, String secret) {

    /** Reads the line that {@link #serve} prints. */
    public static Address of(String[] answer) {
      String[] rest = answer[1].split(" ", 2);
      return new Address(Integer.parseInt(answer[0]), Integer.parseInt(rest[0]), rest[1]);
    }
  }

  /** Live heap and number of series. */
  public record Usage(long heapBytes, long series) {

    /** Reads the line that {@link #answer} prints. */
    public static Usage of(String[] answer) {
      return new Usage(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
    }
  }

  private final ServerJvm jvm;
  private final Address address;

  /**
   * Starts a server and returns when it listens.
   *
   * @param prefix of the command line, like {@code taskset}
   * @param settings besides those of {@link #serve}, such as {@code --event-loops=1}
   */
  public TidegateProcess(String[] prefix, String... settings) throws IOException {
    this.jvm = new ServerJvm(prefix, TidegateProcess.class, settings);
    this.address = Address.of(jvm.readAnswer());
  }

  public Address address() {
    return address;
  }

  /** Live heap, after a collection, and number of series. */
  public Usage usage() throws IOException {
    return Usage.of(jvm.ask());
  }

  public long pid() {
    return jvm.process().pid();
  }

  public double cpuSeconds() {
    return Cpu.seconds(jvm.process());
  }

  public double residentBytes() {
    return jvm.residentBytes();
  }

  @Override
  public void close() throws IOException {
    jvm.close();
  }

  /** Arguments: settings, and a directory for data. */
  public static void main(String[] arguments) {
    String data = arguments[arguments.length - 1];
    String[] settings = Arrays.copyOf(arguments, arguments.length - 1);
    ServerJvm.run(answers -> serve(answers, data, settings));
  }

  /**
   * Runs a server in this JVM until the input ends. Prints a line with its ports and root key, and
   * for each line of the input one with its usage.
   */
  public static void serve(PrintStream answers, String data, String... settings) throws Exception {
    List<String> all = new ArrayList<>(
        List.of("--http-host=127.0.0.1", "--http-port=0", "--admin-port=0", "--stop-delay=0s"));
    all.addAll(List.of(settings));
    if (all.stream().noneMatch(setting -> setting.startsWith("--jdbc-url="))) {
      all.add("--data=" + data); // otherwise the catalog is in the database
    }
    AtomicReference<NewRootKey> key = new AtomicReference<>();
    Server server = Server.start(ServerConfig.of(all.toArray(String[]::new)), key::set);
    try {
      String secret = Objects.requireNonNull(key.get()).secret();
      answers.println(server.httpPort() + " " + server.adminPort() + " " + secret);
      answer(answers, () -> series(server.adminPort()));
    } finally {
      server.stop();
    }
  }

  /** Prints live heap and series for each line of the input, until its end. */
  public static void answer(PrintStream answers, Callable<Long> series) throws Exception {
    while (System.in.read() == '\n') {
      System.gc();
      long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      answers.println(heapBytes + " " + series.call());
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
