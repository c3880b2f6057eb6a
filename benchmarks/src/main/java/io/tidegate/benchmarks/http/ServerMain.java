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
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** The server in the process that {@link ServerProcess} starts. */
final class ServerMain {

  private ServerMain() {}

  /**
   * Arguments: the kind of server, its number of event loops and a directory for its data. Ends
   * with its input.
   */
  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    System.setOut(System.err); // other output must not mix with the answers
    try {
      int eventLoops = Integer.parseInt(arguments[1]);
      switch (ServerProcess.Kind.valueOf(arguments[0])) {
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
    AtomicReference<NewRootKey> key = new AtomicReference<>();
    ServerConfig config = ServerConfig.of(
        "--data=" + data,
        "--http-host=127.0.0.1",
        "--http-port=0",
        "--admin-port=0",
        "--stop-delay=0s",
        "--event-loops=" + eventLoops);
    Server server = Server.start(config, key::set);
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
