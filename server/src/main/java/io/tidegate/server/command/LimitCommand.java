package io.tidegate.server.command;

import io.tidegate.server.log.Escaped;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Requests one decision from a running server, for trying it out and for scripts. */
@Command(
    name = "limit",
    description = "Request a decision from a running server.",
    footer = {
      "",
      "Exit codes: 0 allowed, 1 denied, 2 invalid arguments, 3 server unreachable or answered with an error."
    })
final class LimitCommand implements Callable<Integer> {

  private static final int ALLOWED = 0;
  private static final int DENIED = 1;
  private static final int FAILED = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Longer than any decision takes, so that a script does not hang. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Parameters(index = "0", paramLabel = "NAMESPACE", description = "Namespace of the limit.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String namespace;

  @Parameters(
      index = "1",
      paramLabel = "IDENTIFIER",
      description = "User, address or resource to limit.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String identifier;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Tokens per window, unless an override applies.")
  private @Nullable Long limit;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "Length of the window, such as 60s, 5m or 1h.")
  private @Nullable String duration;

  @Option(
      names = "--rule",
      paramLabel = "NAME",
      description = {
        "Name of a rule in the domain of the key's workspace,",
        "instead of --limit and --duration."
      })
  private @Nullable String rule;

  @Option(
      names = "--cost",
      paramLabel = "N",
      defaultValue = "1",
      description = "Tokens of this request; 0 peeks without counting. Default: 1.")
  private long cost;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = {
        "URL of the server, with its base path if it has one.",
        "Default: http://localhost:8080. Environment: TIDEGATE_URL"
      })
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {
        "Root key. Prefer the environment: other users can see the flags of a process.",
        "Environment: TIDEGATE_ROOT_KEY"
      })
  private @Nullable String key;

  @Option(names = "--json", description = "Print the answer of the server unchanged.")
  private boolean json;

  LimitCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    HttpRequest request = request();
    HttpResponse<String> response;
    try {
      response = HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build()
          .send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      return fail("cannot reach " + request.uri() + ": " + reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted");
    }
    return print(request.uri(), response);
  }

  /** A refused connection has no message in Java. */
  private static String reason(IOException failure) {
    return failure.getMessage() == null ? "no connection" : failure.getMessage();
  }

  private int print(URI uri, HttpResponse<String> response) {
    LimitAnswer answer;
    try {
      answer = LimitAnswer.parse(response.body());
    } catch (IOException e) {
      return fail(uri + " answered " + response.statusCode()
          + " without a valid answer of Tidegate; check --url");
    }
    if (answer instanceof LimitAnswer.Rejection rejection) {
      return fail("the server answered " + response.statusCode() + ": " + rejection.reason());
    }
    LimitAnswer.Verdict verdict = (LimitAnswer.Verdict) answer;
    command
        .commandLine()
        .getOut()
        .println(json ? response.body().strip() : verdict.describe(System.currentTimeMillis()));
    return verdict.allowed() ? ALLOWED : DENIED;
  }

  private int fail(String reason) {
    command.commandLine().getErr().println("tidegate: " + Escaped.of(reason));
    return FAILED;
  }

  private HttpRequest request() {
    return HttpRequest.newBuilder(uri())
        .timeout(ANSWER_TIMEOUT)
        .header("Authorization", "Bearer " + key())
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body()))
        .build();
  }

  private String body() {
    if (rule != null) {
      if (limit != null || duration != null) {
        throw usageError("--rule replaces --limit and --duration; give one or the other");
      }
      return LimitAnswer.requestBody(namespace, identifier, rule, atLeast("--cost", cost, 0));
    }
    if (limit == null || duration == null) {
      throw usageError("--limit and --duration, or --rule, are required");
    }
    return LimitAnswer.requestBody(
        namespace,
        identifier,
        atLeast("--limit", limit, 1),
        atLeast("--duration", millis(duration), 1),
        atLeast("--cost", cost, 0));
  }

  private URI uri() {
    String base = url != null ? url : environment.getOrDefault("TIDEGATE_URL", "");
    URI uri;
    try {
      uri = new URI(base.isEmpty() ? "http://localhost:8080" : base);
    } catch (URISyntaxException e) {
      throw usageError("--url must be a URL such as http://localhost:8080");
    }
    boolean usable = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        && uri.getHost() != null
        && uri.getUserInfo() == null
        && uri.getQuery() == null
        && uri.getFragment() == null;
    if (!usable) {
      throw usageError(
          "--url must be http:// or https:// with a host, and optionally a port and a path");
    }
    return URI.create(uri.toString().replaceFirst("/+$", "") + "/v2/ratelimit.limit");
  }

  private String key() {
    String given = key != null ? key : environment.getOrDefault("TIDEGATE_ROOT_KEY", "");
    if (given.isEmpty()) {
      throw usageError("the root key is missing: set TIDEGATE_ROOT_KEY or give --key");
    }
    if (!given.matches("[!-~]+")) { // the message must not show it
      throw usageError("the root key must consist of printable ASCII characters without blanks");
    }
    return given;
  }

  private long millis(String time) {
    try {
      return OptionValue.millis("--duration", time);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private long atLeast(String name, long value, long least) {
    if (value < least) {
      throw usageError(name + " must be at least " + least + ": " + value);
    }
    return value;
  }

  private ParameterException usageError(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
