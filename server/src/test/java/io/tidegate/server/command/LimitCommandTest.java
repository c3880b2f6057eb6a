package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.server.command.Terminal.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitCommandTest {

  private record Received(String method, String path, String key, String type, String body) {}

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private String url;
  private int status = 200;
  private String answer = "";

  private final Terminal terminal = new Terminal();

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      received.add(new Received(
          exchange.getRequestMethod(),
          exchange.getRequestURI().toString(),
          exchange.getRequestHeaders().getFirst("Authorization"),
          exchange.getRequestHeaders().getFirst("Content-Type"),
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
    terminal.set("TIDEGATE_URL", url).set("TIDEGATE_ROOT_KEY", "tg_key");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void sendsTheRequestOfTheApi() {
    answer = allowed(9, 42_000);
    limit("--cost=2");
    assertThat(received)
        .containsExactly(
            new Received(
                "POST",
                "/v2/ratelimit.limit",
                "Bearer tg_key",
                "application/json",
                "{\"namespace\":\"emails\",\"identifier\":\"@bob \\\"x\\\"\",\"limit\":10,\"duration\":60000,\"cost\":2}"));
  }

  @Test
  void ruleReplacesLimitAndDuration() {
    answer = allowed(9, 42_000);
    assertThat(terminal.run("limit", "emails", "bob", "--rule", "log\"in").exitCode())
        .isZero();
    assertThat(received)
        .singleElement()
        .extracting(Received::body)
        .isEqualTo(
            "{\"namespace\":\"emails\",\"identifier\":\"bob\",\"rule\":\"log\\\"in\",\"cost\":1}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --rule=a --limit=1                 | --rule replaces --limit and --duration; give one or the other
      --rule=a --duration=60s            | --rule replaces --limit and --duration; give one or the other
      --rule=a --cost=-1                 | --cost must be at least 0: -1
      --limit=1                          | --limit and --duration, or --rule, are required
      --duration=60s                     | --limit and --duration, or --rule, are required
      --cost=1                           | --limit and --duration, or --rule, are required
      """)
  void eitherLimitAndDurationOrARuleIsRequired(String options, String message) {
    Result result = terminal.run(("limit a b " + options).split(" ", -1));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("tidegate: " + message);
    assertThat(received).isEmpty();
  }

  @Test
  void allowedExitsWithZero() {
    answer = allowed(9, 42_000);
    Result result = limit();
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).matches("allowed, 9 of 10 left, window ends in 4[12] s\\R");
  }

  @Test
  void deniedExitsWithOne() {
    answer =
        "{\"meta\":{\"requestId\":\"req_1\"},\"data\":{\"success\":false,\"limit\":10,\"remaining\":0,"
            + "\"reset\":1,\"retryAfter\":1150}}";
    Result result = limit();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).matches("denied, retry in 1.2 s\\R");
  }

  @Test
  void denialWithoutRetryShowsTheRemainingTokens() {
    answer = "{\"meta\":{},\"data\":{\"success\":false,\"limit\":10,\"remaining\":3,\"reset\":1,"
        + "\"overrideId\":\"rlor_1\"}}";
    assertThat(limit().out())
        .matches("denied, 3 of 10 left, window ends in 0.0 s \\(override rlor_1\\)\\R");
  }

  @Test
  void jsonPrintsTheAnswerUnchanged() {
    answer = allowed(9, 42_000);
    Result result = limit("--json");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().strip()).isEqualTo(answer);
  }

  @Test
  void flagsOverrideTheEnvironment() {
    answer = allowed(9, 42_000);
    terminal.set("TIDEGATE_URL", "http://127.0.0.1:1");
    assertThat(limit("--url", url, "--key", "tg_other").exitCode()).isZero();
    assertThat(received).singleElement().extracting(Received::key).isEqualTo("Bearer tg_other");
  }

  @ParameterizedTest
  @CsvSource({"/gate, /gate", "/gate/, /gate", "/a/b//, /a/b", "/, ''"})
  void urlMayHaveAPath(String path, String prefix) {
    answer = allowed(9, 42_000);
    assertThat(limit("--url", url + path).exitCode()).isZero();
    assertThat(received)
        .singleElement()
        .extracting(Received::path)
        .isEqualTo(prefix + "/v2/ratelimit.limit");
  }

  @Test
  void errorOfTheServerIsPrinted() {
    status = 401;
    answer =
        "{\"meta\":{\"requestId\":\"req_1\"},\"error\":{\"title\":\"Unauthorized\",\"detail\":\"No such key.\","
            + "\"status\":401,\"type\":\"x\"}}";
    assertThat(limit())
        .isEqualTo(new Result(
            3,
            "",
            "tidegate: the server answered 401: Unauthorized: No such key."
                + System.lineSeparator()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "[]",
        "{}",
        "\"x\"",
        "{\"data\":{\"success\":true}}",
        "{\"data\":{\"success\":true,\"limit\":\"x\",\"remaining\":1,\"reset\":1}}",
        "{\"data\":",
      })
  void invalidAnswerIsAFailure(String body) {
    status = 502;
    answer = body;
    Result result = limit();
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err())
        .isEqualTo("tidegate: " + url
            + "/v2/ratelimit.limit answered 502 without a valid answer of Tidegate; check --url"
            + System.lineSeparator());
  }

  @Test
  void unreachableServerIsAFailure() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Result result = limit("--url=http://127.0.0.1:" + port);
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("tidegate: cannot reach http://127.0.0.1:" + port + "/v2/ratelimit.limit: ");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --limit=0            | --limit must be at least 1: 0
      --cost=-1            | --cost must be at least 0: -1
      --duration=60        | --duration must be a time such as 500ms, 60s, 5m or 1h: 60
      --duration=0s        | --duration must be at least 1: 0
      --url=localhost:8080 | --url must be http:// or https:// with a host, and optionally a port and a path
      --url=http://a?b=c   | --url must be http:// or https:// with a host, and optionally a port and a path
      --url=http://        | --url must be a URL such as http://localhost:8080
      --url=http://a:hunter2@b | --url must be http:// or https:// with a host, and optionally a port and a path
      """)
  void invalidArgumentsAreRejected(String argument, String message) {
    String name = argument.replaceFirst("=.*", "");
    String[] arguments = Stream.concat(
            Stream.of("limit", "a", "b", argument),
            Stream.of("--limit=1", "--duration=60s").filter(other -> !other.startsWith(name + "=")))
        .toArray(String[]::new);
    Result result = terminal.run(arguments);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("tidegate: " + message);
    assertThat(received).isEmpty();
  }

  @Test
  void keyIsRequired() {
    terminal.set("TIDEGATE_ROOT_KEY", "");
    Result result = limit();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: the root key is missing: set TIDEGATE_ROOT_KEY or give --key");
  }

  @Test
  void invalidKeyIsNotShown() {
    Result result = limit("--key", "hunter2\nX-Evil: 1");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: the root key must consist of")
        .doesNotContain("hunter2");
  }

  private Result limit(String... more) {
    return terminal.run(Stream.concat(
            Stream.of("limit", "emails", "@bob \"x\"", "--limit=10", "--duration=60s"),
            Stream.of(more))
        .toArray(String[]::new));
  }

  private static String allowed(long remaining, long leftMillis) {
    return "{\"meta\":{\"requestId\":\"req_1\"},\"data\":{\"success\":true,\"limit\":10,\"remaining\":%d,\"reset\":%d}}"
        .formatted(remaining, System.currentTimeMillis() + leftMillis);
  }
}
