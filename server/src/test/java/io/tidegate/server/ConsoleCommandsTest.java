package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Commands;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands that ask the admin port of a running node. */
@Timeout(120)
class ConsoleCommandsTest {

  private static final String HOSTILE = "\u001b[2J\u202euser\nsecond line";

  private static Node node;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() {
    node = Node.start();
    for (int i = 0; i < 4; i++) {
      take("login", "user_42", 3);
    }
    take("login", HOSTILE, 3);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void inspectExplainsADenial() {
    assertThat(run("inspect", "login", "user_42")).isZero();
    assertThat(out())
        .contains("user_42 in namespace login of workspace " + node.workspaceId())
        .contains("no override")
        .contains(
            "window 24h: 3 of 3 used (limit of recent requests), 0 left; denied, free again in")
        .contains("strict mode until")
        .contains("this node: counts alone, without Redis")
        .contains("current window from");
  }

  @Test
  void inspectUsesTheGivenLimitAndWindow() {
    assertThat(run("inspect", "login", "user_42", "--limit", "10", "--duration", "1d"))
        .isZero();
    assertThat(out())
        .contains("3 of 10 used (limit of --limit), 7 left; a request of cost 1 is allowed");
  }

  @Test
  void inspectSaysWhatIsMissing() {
    assertThat(run("inspect", "unused", "user_42")).isZero();
    assertThat(out())
        .contains("this node does not follow this namespace; name a window with --duration");
    assertThat(run("inspect", "unused", "user_42", "--duration", "1m")).isZero();
    assertThat(out())
        .contains("window 1m: 0 counted; the limit is not known, give it with --limit");
  }

  @Test
  void inspectPrintsJson() {
    assertThat(run("inspect", "login", "user_42", "--json")).isZero();
    assertThat(new JsonObject(out()).getString("identifier")).isEqualTo("user_42");
  }

  @Test
  void topListsDenialsAndRequests() {
    assertThat(run("top", "--once")).isZero();
    assertThat(out())
        .contains("1 node ")
        .containsSubsequence("MOST DENIED", "user_42", "BUSIEST", "user_42");
    assertThat(run("top", "--once", "--namespace", "other")).isZero();
    assertThat(out()).containsSubsequence("MOST DENIED", "none", "BUSIEST", "none");
    assertThat(run("top", "--once", "--region", "mars")).isZero();
    assertThat(out()).containsSubsequence("MOST DENIED", "none", "BUSIEST", "none");
  }

  @Test
  void topPrintsJson() {
    assertThat(run("top", "--json", "--namespace", "login")).isZero();
    assertThat(new JsonArray(out()).getJsonObject(0).getString("namespace")).isEqualTo("login");
  }

  /** Otherwise a client could control the terminal of an operator. */
  @Test
  void hostileIdentifiersAreEscaped() {
    assertThat(run("inspect", "login", HOSTILE)).isZero();
    assertThat(out()).contains("\\u001b[2J\\u202euser\\nsecond line").doesNotContain("\u001b");
    assertThat(run("top", "--once")).isZero();
    assertThat(out()).contains("\\u001b[2J\\u202euser\\nsecond line").doesNotContain("\u001b");
    assertThat(run("top", "--json")).isZero();
    assertThat(out()).contains("\\u202euser").doesNotContain("\u202e");
    assertThat(new JsonArray(out())).isNotEmpty();
  }

  @Test
  void failuresSayWhatToDo() {
    assertThat(run("inspect", "login", "user", "--workspace", "ws_none")).isEqualTo(1);
    assertThat(err()).contains("no workspace or rule domain has the id ws_none");
    assertThat(run("inspect", "login", "user", "--duration", "soon")).isEqualTo(2);
    assertThat(err()).contains("--duration must be a time").contains("soon");
    assertThat(run("top", "--rows", "0")).isEqualTo(2);
    assertThat(err()).contains("--rows must be at least 1: 0");
    assertThat(runAt("http://localhost:1", "top", "--once")).isEqualTo(1);
    assertThat(err()).contains("cannot reach http://localhost:1").contains("--admin-url");
    assertThat(runAt("localhost", "top", "--once")).isEqualTo(1);
    assertThat(err()).contains("--admin-url must be a URL");
    assertThat(runAt(node.uri("").toString(), "top", "--once")).isEqualTo(1);
    assertThat(err()).contains("tidegate: ");
  }

  @Test
  void tokenComesFromTheEnvironment() {
    try (Node guarded = Node.start("--admin-token=0123456789abcdefghij")) {
      assertThat(runAt(guarded.adminUri("").toString(), "top", "--once")).isEqualTo(1);
      assertThat(err()).contains("TIDEGATE_ADMIN_TOKEN");
      Map<String, String> environment = Map.of(
          "TIDEGATE_ADMIN_URL",
          guarded.adminUri("").toString(),
          "TIDEGATE_ADMIN_TOKEN",
          "0123456789abcdefghij");
      assertThat(run(environment, "top", "--once")).isZero();
    }
  }

  private int run(String... arguments) {
    return runAt(node.adminUri("").toString(), arguments);
  }

  private int runAt(String url, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--admin-url=" + url);
    return run(Map.of(), all.toArray(String[]::new));
  }

  private int run(Map<String, String> environment, String... arguments) {
    out.reset();
    err.reset();
    return Commands.commandLine(
            environment,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (config, ignored) -> 0)
        .execute(arguments);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static void take(String namespace, String identifier, long limit) {
    assertThat(node.ask(
                "limit",
                Json.object(
                    "namespace",
                    namespace,
                    "identifier",
                    identifier,
                    "limit",
                    limit,
                    "duration",
                    86_400_000))
            .status())
        .isEqualTo(200);
  }
}
