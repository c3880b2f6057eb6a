package io.tidegate.benchmarks.http;

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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A server in a child process: sends its address, then its memory usage at each request. */
final class ServerProcess {

  /** Port and root key. */
  record Address(int port, String secret) implements Serializable {}

  /** Live heap and number of series. */
  record Usage(long heapBytes, long series) implements Serializable {}

  private ServerProcess() {}

  /** Arguments: the kind of server and its number of event loops. Ends with its input. */
  public static void main(String[] arguments) {
    try {
      ChildProcess.Parent parent = new ChildProcess.Parent();
      ServerKind kind = ServerKind.valueOf(arguments[0]);
      int eventLoops = Integer.parseInt(arguments[1]);
      if (kind == ServerKind.CONSTANT) {
        serveConstant(parent, eventLoops);
      } else {
        serve(parent, eventLoops);
      }
      System.exit(0); // stops the event loops
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void serveConstant(ChildProcess.Parent parent, int eventLoops) throws IOException {
    parent.send(new Address(ConstantServer.start(eventLoops), "none"));
    while (parent.receive() != null) {
      parent.send(new Usage(liveBytes(), 0));
    }
  }

  private static void serve(ChildProcess.Parent parent, int eventLoops)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("tidegate-http");
    try {
      serve(parent, data, eventLoops);
    } finally {
      delete(data);
    }
  }

  private static void serve(ChildProcess.Parent parent, Path data, int eventLoops)
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
      parent.send(
          new Address(server.httpPort(), Objects.requireNonNull(key.get()).secret()));
      while (parent.receive() != null) {
        parent.send(new Usage(liveBytes(), series(server.adminPort())));
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
