package io.tidegate.server.command;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks the health of a running node, for health checks that run a command. */
@Command(
    name = "health",
    description = {
      "Check whether a running node is ready: the exit code is 0 if it is, and 1 if it is not.",
      "",
      "Asks /ready of its admin port. A probe that can send HTTP requests should ask it directly,"
          + " which takes less CPU time."
    })
final class HealthCommand implements Runnable {

  /** A health check with a longer answer is better reported as failed. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Mixin
  private final AdminUrl url;

  @Option(names = "--live", description = "Ask /live: whether the process answers at all.")
  private boolean live;

  HealthCommand(Map<String, String> environment) {
    this.url = new AdminUrl(environment);
  }

  @Override
  public void run() {
    URI uri = url.resolve(live ? "/live" : "/ready");
    int status = status(uri);
    if (status != 200) {
      throw new Failure(uri + " answered " + status);
    }
    command.commandLine().getOut().println("ok");
  }

  private static int status(URI uri) {
    HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(TIMEOUT)
        .build();
    try {
      return client
          .send(HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      throw new Failure("cannot reach " + uri + ": "
          + Objects.requireNonNullElse(e.getMessage(), "no connection"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
