package io.tidegate.server.command;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  /** A node that takes longer to answer is reported as not ready. */
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
      // The timeout of a request ends with the head of its answer; this one includes the body.
      return client
          .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
          .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .statusCode();
    } catch (TimeoutException e) {
      throw new Failure("no answer from " + uri + " within " + TIMEOUT.toSeconds() + " s");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String reason = cause == null ? null : cause.getMessage();
      throw new Failure(
          "cannot reach " + uri + ": " + Objects.requireNonNullElse(reason, "no connection"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
