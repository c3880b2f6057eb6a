package io.tidegate.benchmarks;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.Server;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A server in a JVM of its own: tells where it is, and what it holds whenever it is asked. */
final class HttpNode {

  /** Where it is, and what it wants to see. */
  record Address(int port, String secret) implements Serializable {}

  /** What is left on the heap when all garbage is gone, and how many series that is. */
  record Holding(long heapBytes, long series) implements Serializable {}

  private HttpNode() {}

  /** Arguments: the contender, and how many event loops it has. Ends when nobody asks any more. */
  public static void main(String[] arguments) {
    try {
      HttpProcess.Parent parent = new HttpProcess.Parent();
      HttpContender contender = HttpContender.valueOf(arguments[0]);
      int eventLoops = Integer.parseInt(arguments[1]);
      if (contender == HttpContender.CONSTANT) {
        serveConstant(parent, eventLoops);
      } else {
        serve(parent, eventLoops);
      }
      System.exit(0); // event loops would go on
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void serveConstant(HttpProcess.Parent parent, int eventLoops) throws IOException {
    parent.tell(new Address(HttpConstant.start(eventLoops), "none"));
    while (parent.hear() != null) {
      parent.tell(new Holding(liveBytes(), 0));
    }
  }

  private static void serve(HttpProcess.Parent parent, int eventLoops)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("tidegate-http");
    try {
      serve(parent, data, eventLoops);
    } finally {
      delete(data);
    }
  }

  private static void serve(HttpProcess.Parent parent, Path data, int eventLoops)
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
      parent.tell(new Address(server.httpPort(), key.get().secret()));
      while (parent.hear() != null) {
        parent.tell(new Holding(liveBytes(), series(server.adminPort())));
      }
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
