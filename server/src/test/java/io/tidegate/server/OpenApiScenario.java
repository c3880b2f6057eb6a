package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.OpenApi.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The document, nodes in several states, and requests to them. */
abstract class OpenApiScenario {

  static final OpenApi DOCUMENT = new OpenApi(file());

  /** The bound of times before and after 1970, in milliseconds. */
  static final long MAX_TIME = 1_000_000_000_000_000L;

  /** One character of two UTF-16 units. */
  static final String WIDE = "\uD83C\uDF0A";

  /** The rule that the document's examples name. */
  private static final String RULE = "login";

  static Node node;

  /** A node with a short request timeout and a low maximum body length. */
  static Node hasty;

  /** A node that has never reached its database. */
  static Node lost;

  static String disabledKey;
  static String throttledKey;
  static String unlimitedKey;

  static String file() {
    try (InputStream file = OpenApiScenario.class.getResourceAsStream("openapi.yaml")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  static void start() throws SQLException {
    node = Node.startWithRules("""
          - key: login
            rate_limit: {name: login, unit: minute, requests_per_unit: 10}
        """, "--test-clock");
    hasty = Node.start("--request-timeout=200ms", "--max-body-bytes=1000");
    lost = Node.start("--jdbc-url=jdbc:mariadb://127.0.0.1:1/nowhere", "--region=test");
    NewRootKey disabled = node.catalog().createKey(node.workspaceId(), "disabled", Set.of());
    node.catalog().disableKey(disabled.key().id());
    disabledKey = disabled.secret();
    throttledKey = node.catalog()
        .createKey(node.catalog().createWorkspace("throttled", 0L).id(), "key", Set.of())
        .secret();
    String deleted =
        node.catalog().createNamespace(node.workspaceId(), "deleted", "test").id();
    node.catalog().deleteNamespace(deleted, "test");
    unlimitedKey = node.newKeyOf(
        node.catalog().createWorkspace("throttled a little", 1_000_000L).id(),
        "ratelimit.*.limit",
        "ratelimit.*.create_namespace",
        "ratelimit.*.set_override",
        "ratelimit.*.read_override",
        "ratelimit.*.delete_override");
  }

  @AfterAll
  static void stop() {
    node.close();
    hasty.close();
    lost.close();
  }

  static List<Operation> operations() {
    return DOCUMENT.operations();
  }

  /** The operations with a body. */
  static List<Operation> posts() {
    return operations().stream()
        .filter(operation -> operation.method().equals("POST"))
        .toList();
  }

  static Answer post(Operation operation, @Nullable Object body) {
    return post(operation, body, node.key());
  }

  static Answer post(Operation operation, @Nullable Object body, String key, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + key));
    all.addAll(List.of(headers));
    return Answer.of(node.post(operation.path(), Json.write(body), all.toArray(String[]::new)));
  }

  /** Creates the subject of the request, so that only its form can be wrong. */
  static void prepare(Operation operation, @Nullable Object body, String key) {
    if (!operation.id().endsWith("Override") && !operation.id().equals("listOverrides")) {
      return;
    }
    Map<String, Object> fields = OpenApi.map(body);
    Map<String, Object> override = Json.map(
        "namespace",
        fields.get("namespace"),
        "identifier",
        fields.getOrDefault("identifier", "any"),
        "limit",
        10,
        "duration",
        1_000);
    assertThat(node.askAs(key, "limit", Json.write(override)).status()).isEqualTo(200);
    if (!operation.id().equals("setOverride")) {
      assertThat(node.askAs(key, "setOverride", Json.write(override)).status()).isEqualTo(200);
    }
  }

  static void assertAccepted(Operation operation, @Nullable Object body) {
    prepare(operation, body, node.key());
    Answer answer = post(operation, body);
    assertThat(answer.status())
        .as("%s to %.300s", answer, body)
        .isEqualTo(namesUnknownRule(body) ? 404 : 200);
    assertDocumented(operation, answer);
  }

  /** Whether the form of the body is right, but it names a rule that the node does not have. */
  private static boolean namesUnknownRule(@Nullable Object body) {
    Object first = body instanceof List<?> entries ? entries.get(0) : body;
    Object rule = OpenApi.map(first).get("rule");
    return rule != null && !rule.equals(RULE);
  }

  static void assertRejected(Operation operation, @Nullable Object body) {
    Answer answer = post(operation, body);
    assertThat(answer.status()).as("%s to %.300s", answer, body).isEqualTo(400);
    assertThat(answer.kind()).isEqualTo("invalid_input");
    assertThat(answer.violations()).isNotEmpty();
    assertDocumented(operation, answer);
  }

  static void assertDocumented(Operation operation, Answer answer) {
    assertThat(DOCUMENT.statuses(operation)).contains(answer.status());
    Map<String, Object> schema =
        DOCUMENT.responseSchema(operation, answer.status(), answer.contentType());
    assertThat(DOCUMENT.check(schema, answer.body())).as(answer.toString()).isEmpty();
  }
}
