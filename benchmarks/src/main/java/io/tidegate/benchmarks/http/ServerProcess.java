package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.ServerJvm;
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
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A server in a JVM of its own, which runs {@link #main}. It prints a line with its address, and
 * for each line that it reads, a line with its memory usage.
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

  final Kind kind;
  final Address address;
  private final ServerJvm jvm;

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  ServerProcess(Kind kind, int eventLoops, String... prefix) throws IOException {
    this.kind = kind;
    this.jvm = new ServerJvm(prefix, ServerProcess.class, kind.name(), "" + eventLoops);
    String[] answer = jvm.readAnswer();
    this.address = new Address(Integer.parseInt(answer[0]), answer[1]);
  }

  Usage usage() throws IOException {
    String[] answer = jvm.ask();
    return new Usage(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
  }

  double cpuSeconds() {
    return Cpu.seconds(jvm.process());
  }

  double residentBytes() {
    return jvm.residentBytes();
  }

  @Override
  public void close() throws IOException {
    jvm.close();
  }

  /** Arguments: the kind of server, its number of event loops and a directory for its data. */
  public static void main(String[] arguments) {
    ServerJvm.run(answers -> {
      int eventLoops = Integer.parseInt(arguments[1]);
      switch (Kind.valueOf(arguments[0])) {
        case CONSTANT -> {
          answers.println(ConstantServer.start(eventLoops) + " none");
          answer(answers, () -> 0L);
        }
        case TIDEGATE -> serve(answers, eventLoops, arguments[2]);
      }
    });
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
