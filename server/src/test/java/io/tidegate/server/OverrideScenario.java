package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** A node and a namespace of each test, with the requests that tests of overrides make. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OverrideScenario {

  static final long MONTH = 2_592_000_000L;
  static final String OVERRIDE_ID = "rlor_[0-9A-Za-z]{9}";

  Node node;

  /** Each test has its own, so that no override of another test applies. */
  String namespace;

  String namespaceId;

  @BeforeAll
  void start() {
    node = Node.start();
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @BeforeEach
  void createNamespace(TestInfo test) throws Exception {
    namespace = test.getDisplayName();
    limit("first", 0);
    namespaceId =
        node.catalog().createNamespace(node.workspaceId(), namespace, "test").id();
  }

  Map<String, Object> limit(String identifier, long cost) {
    return limit(namespace, identifier, cost);
  }

  Map<String, Object> limit(String namespace, String identifier, long cost) {
    Answer answer = node.ask(
        "limit",
        Json.object(
            "namespace", namespace,
            "identifier", identifier,
            "limit", 10,
            "duration", MONTH,
            "cost", cost));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return answer.data();
  }

  Answer set(String pattern, long limit, long duration) {
    return node.ask(
        "setOverride",
        Json.object(
            "namespace", namespace, "identifier", pattern, "limit", limit, "duration", duration));
  }

  /** Sets an override and returns its id. */
  String set(String pattern, long limit) {
    Answer answer = set(pattern, limit, MONTH);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return (String) answer.data().get("overrideId");
  }

  String named(String identifier) {
    return Json.object("namespace", namespace, "identifier", identifier);
  }

  Answer get(String identifier) {
    return node.ask("getOverride", named(identifier));
  }

  Answer delete(String pattern) {
    return node.ask("deleteOverride", named(pattern));
  }

  Answer list(Object... others) {
    Map<String, Object> body = Json.map("namespace", namespace);
    body.putAll(Json.map(others));
    return node.ask("listOverrides", Json.write(body));
  }

  void assertNoOverride(Answer answer) {
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.error())
        .isEqualTo(Json.map(
            "title", "Not Found",
            "detail", "This override does not exist.",
            "status", 404L,
            "type", "https://unkey.com/docs/errors/unkey/data/ratelimit_override_not_found"));
  }
}
