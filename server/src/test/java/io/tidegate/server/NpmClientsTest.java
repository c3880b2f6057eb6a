package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The clients of the npm registry, as {@code src/test/npm} names them, against a server. What they
 * are to see is in {@code clients.test.mjs}.
 */
class NpmClientsTest {

  /** Packages may have to come over a slow network. */
  private static final Duration LONGEST_INSTALL = Duration.ofMinutes(3);

  private static final Duration LONGEST_RUN = Duration.ofMinutes(1);

  private static final String PREFIX = "/some/prefix";
  private static final Path SOURCE = Path.of("src", "test", "npm");

  /** Outside of the sources, and kept from one run to the next only by accident. */
  private static final Path PLACE = Path.of("target", "npm");

  @BeforeAll
  static void findNode() {
    for (String program : List.of("node", "npm")) {
      assumeTrue(
          isThere(program), "skipped: there is no " + program + " on the PATH to run the clients");
    }
  }

  private static boolean isThere(String program) {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Test
  void workAgainstThisServer() throws Exception {
    Files.createDirectories(PLACE);
    for (String file : List.of("package.json", "package-lock.json", "clients.test.mjs")) {
      Files.copy(SOURCE.resolve(file), PLACE.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    run(LONGEST_INSTALL, Map.of(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");

    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer proxy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.setExecutor(threads);
    try (Node node = Node.start()) {
      proxy.createContext(PREFIX, exchange -> forward(exchange, node));
      proxy.start();
      String throttled = node.catalog().createWorkspace("throttled", 0L).id();
      String deleted = node.catalog()
          .createNamespace(node.workspaceId(), "npm deleted", "test")
          .id();
      node.catalog().setNamespaceDeleted(deleted, true, "test");
      run(
          LONGEST_RUN,
          Map.of(
              "TIDEGATE_URL",
              node.uri("").toString(),
              "TIDEGATE_PREFIXED_URL",
              "http://127.0.0.1:" + proxy.getAddress().getPort() + PREFIX,
              "TIDEGATE_KEY",
              node.key(),
              "TIDEGATE_LIMIT_ONLY_KEY",
              node.newKey("ratelimit.*.limit"),
              "TIDEGATE_THROTTLED_KEY",
              node.newKeyOf(throttled, "ratelimit.*.limit")),
          "node",
          "--test",
          "clients.test.mjs");
    } finally {
      proxy.stop(0);
      threads.shutdownNow();
    }
  }

  /**
   * What stands before a server whose paths have a prefix: it takes the prefix off. A server that
   * has {@code --base-path} needs none.
   */
  private static void forward(HttpExchange exchange, Node node) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(PREFIX.length());
    HttpResponse<String> answer = node.post(
        path,
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
        "Authorization",
        exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .set("Content-Type", answer.headers().firstValue("Content-Type").orElseThrow());
    exchange.sendResponseHeaders(answer.statusCode(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void run(Duration longest, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = PLACE.resolve(command[0] + ".log");
    ProcessBuilder builder = new ProcessBuilder(command)
        .directory(PLACE.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended && process.exitValue() == 0)
        .as(() -> read(output) + "\n" + String.join(" ", command)
            + (ended ? " ended with code " + process.exitValue() : " did not end"))
        .isTrue();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
