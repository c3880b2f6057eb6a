package io.tidegate.server.command;

import io.tidegate.server.config.Durations;
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

/** Asks a running server for one decision, for people who try it and for scripts. */
@Command(
    name = "limit",
    description = "Asks a running server whether a request may pass, and counts it if it may.",
    footer = {
      "",
      "Exits with 0 if it may pass, 1 if not, 2 for bad arguments, and 3 if the server refuses, fails or cannot be reached."
    })
final class LimitCommand implements Callable<Integer> {

  private static final int ALLOWED = 0;
  private static final int DENIED = 1;
  private static final int FAILED = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Longer than any decision takes; a script would rather fail than hang. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final Map<String, String> environment;

  @Spec
  private CommandSpec command;

  @Parameters(index = "0", paramLabel = "NAMESPACE", description = "The topic of the limit.")
  private String namespace;

  @Parameters(index = "1", paramLabel = "IDENTIFIER", description = "Who or what is limited.")
  private String identifier;

  @Option(
      names = "--limit",
      paramLabel = "N",
      required = true,
      description = "How many may pass in a window, unless an override says otherwise.")
  private long limit;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      required = true,
      description = "Length of the window, such as 60s, 5m or 1h.")
  private String duration;

  @Option(
      names = "--cost",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many this one counts as; 0 looks without counting. Default: 1.")
  private long cost;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = {
        "Where the server is; it may have a path.",
        "Default: http://localhost:8080. Environment: TIDEGATE_URL"
      })
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {
        "The root key. Others can see the flags of a process: better the environment.",
        "Environment: TIDEGATE_ROOT_KEY"
      })
  private @Nullable String key;

  @Option(names = "--json", description = "Print the answer as it came.")
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
    return tell(request.uri(), response);
  }

  /** Of a refused connection, Java says nothing but that. */
  private static String reason(IOException failure) {
    return failure.getMessage() == null ? "no connection" : failure.getMessage();
  }

  private int tell(URI uri, HttpResponse<String> response) {
    LimitAnswer answer;
    try {
      answer = LimitAnswer.parse(response.body());
    } catch (IOException e) {
      return fail(
          uri + " answered " + response.statusCode() + ", and nothing that a Tidegate would say");
    }
    if (answer.error() != null) {
      return fail("the server answered " + response.statusCode() + ": " + answer.error());
    }
    command
        .commandLine()
        .getOut()
        .println(json ? response.body().strip() : answer.describe(System.currentTimeMillis()));
    return answer.success() ? ALLOWED : DENIED;
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
        .POST(HttpRequest.BodyPublishers.ofString(LimitAnswer.question(
            namespace,
            identifier,
            atLeast("--limit", limit, 1),
            atLeast("--duration", millis(), 1),
            atLeast("--cost", cost, 0))))
        .build();
  }

  private URI uri() {
    String base = url != null ? url : environment.getOrDefault("TIDEGATE_URL", "");
    URI uri;
    try {
      uri = new URI(base.isEmpty() ? "http://localhost:8080" : base);
    } catch (URISyntaxException e) {
      throw refused("--url must be a URL, such as http://localhost:8080");
    }
    boolean usable = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        && uri.getHost() != null
        && uri.getUserInfo() == null
        && uri.getQuery() == null
        && uri.getFragment() == null;
    if (!usable) {
      throw refused(
          "--url must be http:// or https://, a host, and at most a port and a path after it");
    }
    return URI.create(uri.toString().replaceFirst("/+$", "") + "/v2/ratelimit.limit");
  }

  private String key() {
    String given = key != null ? key : environment.getOrDefault("TIDEGATE_ROOT_KEY", "");
    if (given.isEmpty()) {
      throw refused("the root key is missing: set TIDEGATE_ROOT_KEY, or give --key");
    }
    if (!given.matches("[!-~]+")) { // and it is not shown
      throw refused("the root key must be of letters, digits and signs, without blanks");
    }
    return given;
  }

  private long millis() {
    try {
      return Durations.parse(duration).toMillis();
    } catch (IllegalArgumentException e) {
      throw refused("--duration " + e.getMessage() + ": " + duration);
    }
  }

  private long atLeast(String name, long value, long least) {
    if (value < least) {
      throw refused(name + " must be at least " + least + ": " + value);
    }
    return value;
  }

  private ParameterException refused(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
