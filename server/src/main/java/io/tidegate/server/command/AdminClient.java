package io.tidegate.server.command;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options and calls of commands that ask the admin port of a running node. */
final class AdminClient {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Longer than a node waits for its stores. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  @Mixin
  private final AdminUrl url;

  @Option(
      names = "--admin-token",
      paramLabel = "TOKEN",
      description = {
        "Value of the node's setting admin-token, if it has one.",
        "Prefer the environment: other users can see the flags of a process.",
        "Environment: TIDEGATE_ADMIN_TOKEN"
      })
  private @Nullable String token;

  private final Map<String, String> environment;
  private final HttpClient client = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(CONNECT_TIMEOUT)
      .build();

  AdminClient(Map<String, String> environment) {
    this.environment = environment;
    this.url = new AdminUrl(environment);
  }

  /** Calls a route without a body. */
  JsonObject get(String route) {
    return send(route, "GET", BodyPublishers.noBody());
  }

  /** Calls a route with a body. */
  JsonObject post(String route, JsonObject body) {
    return send(route, "POST", BodyPublishers.ofString(body.encode()));
  }

  private JsonObject send(String route, String method, BodyPublisher body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve("/console/" + route))
        .timeout(ANSWER_TIMEOUT)
        .header("Content-Type", "application/json")
        .method(method, body);
    String given = token != null ? token : environment.getOrDefault("TIDEGATE_ADMIN_TOKEN", "");
    if (!given.isEmpty()) {
      if (!given.matches("[!-~]+")) { // the message must not show it
        throw new Failure("the admin token must consist of printable ASCII characters");
      }
      request.header("Authorization", "Bearer " + given);
    }
    return answer(request.build());
  }

  private JsonObject answer(HttpRequest request) {
    int status;
    JsonObject answer;
    try {
      var response = client.send(request, BodyHandlers.ofString());
      status = response.statusCode();
      answer = new JsonObject(response.body());
    } catch (IOException e) {
      throw new Failure("cannot reach " + request.uri() + ": "
          + (e.getMessage() == null ? "no connection" : e.getMessage())
          + "; name the admin port of a running node with --admin-url");
    } catch (DecodeException | ClassCastException e) {
      throw new Failure(request.uri() + " is not the admin port of Tidegate; check --admin-url");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
    if (status == 401) {
      throw new Failure(
          "the node requires its admin token: set TIDEGATE_ADMIN_TOKEN to the value of admin-token");
    }
    if (status == 404) {
      throw new Failure("the node has no console, because its setting console is false, or because"
          + " it is older than this command");
    }
    if (status != 200) {
      throw new Failure(
          "the node answered " + status + ": " + answer.getString("error", "without a reason"));
    }
    return answer;
  }

  /** JSON for a terminal: text of clients could otherwise control it, or change its direction. */
  static String print(String json) {
    StringBuilder ascii = new StringBuilder(json.length());
    json.chars()
        .forEach(unit -> ascii.append(
            unit < 0x7f ? String.valueOf((char) unit) : String.format("\\u%04x", unit)));
    return ascii.toString();
  }
}
