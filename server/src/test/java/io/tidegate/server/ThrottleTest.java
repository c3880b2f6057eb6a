package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The throttle of a workspace: its requests per minute. */
class ThrottleTest {

  /** Far longer than a node takes to read an edit of the catalog. */
  private static final Duration CATALOG_DELAY_BOUND = Duration.ofSeconds(20);

  private static final String BODY = Json.object(
      "namespace", "throttle", "identifier", "x", "limit", 1_000_000, "duration", 60_000);

  private static Node node;

  private String workspace;
  private String key;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** Each test has its own workspace, with only the requests that wait for its key. */
  @BeforeEach
  void createWorkspace() throws SQLException {
    workspace = node.catalog().createWorkspace("throttled", null).id();
    key = node.newKeyOf(
        workspace,
        "ratelimit.*.limit",
        "ratelimit.*.create_namespace",
        "ratelimit.*.read_override");
  }

  private Answer limit() {
    return node.askAs(key, "limit", BODY);
  }

  private void throttle(@Nullable Long requestsPerMinute) throws SQLException {
    node.catalog().setRequestsPerMinute(workspace, requestsPerMinute);
  }

  /** Waits until the node has read the throttle, without a request that counts. */
  private void throttleAndAwait(@Nullable Long requestsPerMinute) throws SQLException {
    throttle(requestsPerMinute);
    node.newKey(); // of another workspace; returns when the node has read the edits before
  }

  private static void assertThrottled(Answer answer) {
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.error())
        .isEqualTo(Json.map(
            "title", "Too Many Requests",
            "detail", "The workspace has used up its requests per minute.",
            "status", 429L,
            "type", "https://unkey.com/docs/errors/user/too_many_requests/workspace_rate_limited"));
  }

  private static long number(Answer answer, String header) {
    return Long.parseLong(answer.header(header));
  }

  @Test
  void withoutAThrottleThereAreNoHeaders() {
    Answer answer = limit();
    assertThat(answer.status()).isEqualTo(200);
    for (String header :
        List.of("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After")) {
      assertThat(answer.header(header)).as(header).isNull();
    }
  }

  @Test
  void countsDownAndThenRejects() throws SQLException {
    List<Answer> answers = withinAMinute(3, () -> List.of(limit(), limit(), limit(), limit()));
    for (int i = 0; i < 3; i++) {
      Answer answer = answers.get(i);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("RateLimit-Limit")).isEqualTo("3");
      assertThat(answer.header("RateLimit-Remaining")).isEqualTo(Integer.toString(2 - i));
      assertThat(number(answer, "RateLimit-Reset")).isBetween(0L, 60L);
      assertThat(answer.header("Retry-After")).isNull();
    }
    Answer refused = answers.get(3);
    assertThrottled(refused);
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("3");
    assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(number(refused, "RateLimit-Reset")).isBetween(0L, 60L);
    assertThat(number(refused, "Retry-After")).isBetween(1L, 120L);
  }

  /** Answers of the same minute: asks again if another minute begins. */
  private List<Answer> withinAMinute(long requestsPerMinute, Supplier<List<Answer>> asking)
      throws SQLException {
    while (true) {
      throttleAndAwait(requestsPerMinute);
      long minute = System.currentTimeMillis() / 60_000;
      List<Answer> answers = asking.get();
      if (System.currentTimeMillis() / 60_000 == minute) {
        return answers;
      }
      createWorkspace();
    }
  }

  @Test
  void zeroRejectsEverything() throws SQLException {
    throttleAndAwait(0L);
    Answer refused = limit();
    assertThrottled(refused);
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("0");
    assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(number(refused, "Retry-After")).isBetween(0L, 60L);
  }

  @Test
  void countsAllKeysAndRoutesOfTheWorkspace() throws SQLException {
    String body = Json.object("namespace", "throttle", "identifier", "x");
    List<Answer> answers = withinAMinute(
        1_000,
        () -> List.of(
            limit(),
            node.askAs(key, "getOverride", body),
            node.askAs(node.newKeyOf(workspace), "getOverride", body)));
    assertThat(answers.get(1).status()).as("errors have the headers too").isEqualTo(404);
    long first = number(answers.get(0), "RateLimit-Remaining");
    assertThat(number(answers.get(1), "RateLimit-Remaining")).isEqualTo(first - 1);
    assertThat(number(answers.get(2), "RateLimit-Remaining"))
        .as("another key, whose creation needed requests too")
        .isLessThan(first - 2);
    assertThat(node.ask("limit", BODY).header("RateLimit-Limit"))
        .as("another workspace")
        .isNull();
  }

  @Test
  void isCheckedAfterTheKeyAndBeforeTheRoute() throws SQLException {
    throttleAndAwait(0L);
    assertThat(node.askAs(key, "limit", "{}").status()).isEqualTo(400);
    assertThat(node.askAs(key + "x", "limit", BODY).status()).isEqualTo(401);
    assertThrottled(
        node.askAs(key, "getOverride", Json.object("namespace", "nowhere", "identifier", "x")));
    assertThrottled(node.askAs(
        key,
        "setOverride",
        Json.object("namespace", "x", "identifier", "x", "limit", 1, "duration", 1000)));
    assertThat(node.catalog().changesSince(0).namespaces())
        .noneMatch(namespace -> namespace.workspaceId().equals(workspace));
  }

  @Test
  void rejectedBodiesAndKeysAreNotCounted() throws SQLException {
    List<Answer> answers = withinAMinute(
        1_000,
        () -> List.of(
            limit(),
            node.askAs(key, "limit", "{}"),
            node.askAs(key + "x", "limit", BODY),
            limit()));
    assertThat(number(answers.get(0), "RateLimit-Remaining")
            - number(answers.get(3), "RateLimit-Remaining"))
        .isEqualTo(1);
  }

  @Test
  void changesReachTheNode() throws SQLException {
    throttle(0L);
    Waiting.untilPassed(CATALOG_DELAY_BOUND, () -> assertThrottled(limit()));
    throttle(1_000_000L);
    Waiting.untilPassed(CATALOG_DELAY_BOUND, () -> assertThat(limit().status()).isEqualTo(200));
    throttle(null);
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND, () -> assertThat(limit().header("RateLimit-Limit")).isNull());
  }
}
