package io.tidegate.benchmarks.http;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The server in the process that {@link ServerProcess} starts. */
final class ServerMain {

  private ServerMain() {}

  /** Arguments: the kind of server and its number of event loops. Ends with its input. */
  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    System.setOut(System.err); // other output must not mix with the answers
    try {
      ServerKind kind = ServerKind.valueOf(arguments[0]);
      int eventLoops = Integer.parseInt(arguments[1]);
      switch (kind) {
        case CONSTANT -> {
          answers.println(ConstantServer.start(eventLoops) + " none");
          answer(answers, () -> 0);
        }
        case TIDEGATE -> serve(answers, eventLoops);
      }
      System.exit(0); // stops the event loops
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** Prints live heap and series for each line of the input, until its end. */
  private static void answer(PrintStream answers, SeriesCount series)
      throws IOException, InterruptedException {
    while (System.in.read() == '\n') {
      answers.println(liveBytes() + " " + series.read());
    }
  }

  private interface SeriesCount {
    long read() throws IOException, InterruptedException;
  }

  private static void serve(PrintStream answers, int eventLoops)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("tidegate-http");
    try {
      serve(answers, data, eventLoops);
    } finally {
      delete(data);
    }
  }

  private static void serve(PrintStream answers, Path data, int eventLoops)
      throws IOException, InterruptedException {
    AtomicReference<NewRootKey> key = new AtomicReference<>();
    Server server = Server.start(
        ServerConfig.of(
            "--data=" + data,
            "--http-host=127.0.0.1",
            "--http-port=0",
            "--admin-port=0",
            "--stop-delay=0s",
            "--event-loops=" + eventLoops),
        key::set);
    try {
      answers.println(
          server.httpPort() + " " + Objects.requireNonNull(key.get()).secret());
      answer(answers, () -> series(server.adminPort()));
    } finally {
      server.stop();
    }
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long series(int adminPort) throws IOException, InterruptedException {
    String metrics = HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                .build(),
            BodyHandlers.ofString())
        .body();
    String name = "tidegate_ratelimit_series ";
    return metrics
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no metric " + name + "in " + metrics));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
