package io.tidegate.server;

import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;

/** A Prometheus process that scrapes one target every second and evaluates docs/alerts.yaml. */
final class Prometheus implements AutoCloseable {

  private static final Duration START_BOUND = Duration.ofSeconds(60);

  private final Process process;
  private final int port;

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static Prometheus start(Path directory, URI target, Path rules) {
    try {
      int port = freePort();
      Path config = directory.resolve("prometheus.yaml");
      Files.writeString(
          config, """
          global: {scrape_interval: 1s, evaluation_interval: 1s}
          rule_files: ["%s"]
          scrape_configs:
            - job_name: tidegate
              static_configs: [{targets: ["%s"]}]
          """.formatted(rules.toAbsolutePath().normalize(), target.getAuthority()));
      Process process = new ProcessBuilder(
              "prometheus",
              "--config.file=" + config,
              "--storage.tsdb.path=" + directory.resolve("data"),
              "--web.listen-address=127.0.0.1:" + port)
          .redirectErrorStream(true)
          .redirectOutput(directory.resolve("prometheus.log").toFile())
          .start();
      Prometheus prometheus = new Prometheus(process, port);
      Waiting.untilPassed(START_BOUND, prometheus::checkReady);
      return prometheus;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void checkReady() {
    Assertions.assertTrue(
        process.isAlive(), "prometheus exited; its log is in the directory of its data");
    Assertions.assertEquals(200, get("/-/ready").statusCode());
  }

  /** The current result of a query; fails if Prometheus rejects it. */
  List<?> query(String expression) {
    Map<?, ?> data =
        data("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    return (List<?>) data.get("result");
  }

  /** All rules, with their health and state. */
  List<?> rules() {
    Map<?, ?> group = (Map<?, ?>) ((List<?>) data("/api/v1/rules").get("groups")).get(0);
    return (List<?>) group.get("rules");
  }

  private Map<?, ?> data(String path) {
    HttpResponse<String> response = get(path);
    Assertions.assertEquals(200, response.statusCode(), path + ": " + response.body());
    return (Map<?, ?>) ((Map<?, ?>) Json.parse(response.body())).get("data");
  }

  private HttpResponse<String> get(String path) {
    return Node.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build());
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
