package io.tidegate.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running program of the distribution: the server on free ports, or another command. */
final class Program implements AutoCloseable {

  /** Far longer than needed, so that no test fails on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Arguments for the server: free ports, and no delay when it stops. */
  static final List<String> SERVE =
      List.of("serve", "--http-port=0", "--admin-port=0", "--stop-delay=0s");

  private static final Pattern HTTP = Pattern.compile("listening on (http://[^ ]*:\\d+) ");
  private static final Pattern ADMIN = Pattern.compile("admin +(http://[^ ]*:\\d+)/metrics");
  private static final Pattern KEY = Pattern.compile("(?m)^  (tg_\\S{20,})$");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path out;
  private final Path err;

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a program with an environment that has nothing but the given variables.
   *
   * @param directory the working directory; the output is kept beside it
   */
  static Program start(Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    Path out = Files.createTempFile(directory.getParent(), "out", ".log");
    Path err = Files.createTempFile(directory.getParent(), "err", ".log");
    ProcessBuilder builder = new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    builder.environment().putAll(environment);
    return new Program(builder.start(), out, err);
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  /** The id of the JVM, since the launcher and other wrappers replace themselves by it. */
  long pid() {
    return process.pid();
  }

  /** The executable that runs, such as a java. */
  Path executable() {
    return Path.of(process.info().command().orElseThrow());
  }

  /** Waits for a line of the output of the server. */
  private String await(Pattern pattern) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (true) {
      Matcher line = pattern.matcher(out());
      if (line.find()) {
        return line.group(1);
      }
      assertThat(process.isAlive()).as(() -> "runs: " + this).isTrue();
      assertThat(System.nanoTime())
          .as(() -> "waited for " + pattern + ": " + this)
          .isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Asks the server for a decision with the root key that it has printed. */
  HttpResponse<String> decide() throws IOException, InterruptedException {
    URI route = URI.create(await(HTTP) + "/v2/ratelimit.limit");
    return client.send(
        HttpRequest.newBuilder(route)
            .header("Authorization", "Bearer " + await(KEY))
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"namespace\":\"demo\",\"identifier\":\"user_42\",\"limit\":1,\"duration\":86400000}"))
            .build(),
        BodyHandlers.ofString());
  }

  /** The URL of the admin port of the server. */
  String adminUrl() throws IOException, InterruptedException {
    return await(ADMIN);
  }

  int get(String url) throws IOException, InterruptedException {
    return client
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
        .statusCode();
  }

  /** Sends SIGTERM and returns the exit code. */
  int stop() throws InterruptedException {
    process.toHandle().destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
        .as(() -> "ended: " + this)
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  @Override
  public String toString() {
    try {
      return process + "\n" + out() + err();
    } catch (IOException e) {
      return process + "\n" + e;
    }
  }
}
