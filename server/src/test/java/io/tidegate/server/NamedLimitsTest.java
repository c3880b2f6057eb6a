package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Entries of {@code limit} and {@code multiLimit} that name a rule instead of a limit. */
class NamedLimitsTest {

  private static final long DAY = 24L * 60 * 60 * 1_000;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.startWithRules("""
          - key: a
            rate_limit: {name: two, unit: day, requests_per_unit: 2}
          - key: b
            rate_limit: {name: ten, unit: day, requests_per_unit: 10}
          - key: c
            rate_limit: {name: none, unit: day, requests_per_unit: 0}
          - key: d
            shadow_mode: true
            rate_limit: {name: trial, unit: day, requests_per_unit: 2}
          - key: e
            rate_limit: {name: free, unlimited: true}
          - key: f
            value: x
            rate_limit: {name: vague, unit: day, requests_per_unit: 1}
          - key: f
            value: y
            rate_limit: {name: vague, unit: day, requests_per_unit: 2}
          - key: g
            rate_limit: {name: year, unit: year, requests_per_unit: 5}
        """);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Map<String, Object> entry(String identifier, String rule) {
    return Json.map("namespace", "named", "identifier", identifier, "rule", rule);
  }

  private static Answer limit(String identifier, String rule) {
    return node.ask("limit", Json.write(entry(identifier, rule)));
  }

  private static Answer limitWithCost(String identifier, String rule, long cost) {
    Map<String, Object> entry = entry(identifier, rule);
    entry.put("cost", cost);
    return node.ask("limit", Json.write(entry));
  }

  private static Answer multiLimit(Object... entries) {
    return node.ask("multiLimit", Json.write(List.of(entries)));
  }

  @Test
  void limitAndDurationAreThoseOfTheRule() {
    assertThat(limit("user", "two").data())
        .containsEntry("success", true)
        .containsEntry("limit", 2L)
        .containsEntry("remaining", 1L);
    assertThat(limit("user", "two").data()).containsEntry("success", true);
    assertThat(limit("user", "two").data())
        .containsEntry("success", false)
        .containsEntry("remaining", 0L)
        .containsKey("retryAfter");
    assertThat(limit("other user", "two").data()).containsEntry("remaining", 1L);
  }

  @Test
  void sharesItsCountWithAnEntryThatSendsTheSameDuration() {
    limit("shared", "ten");
    Map<String, Object> sent =
        Json.map("namespace", "named", "identifier", "shared", "limit", 100, "duration", DAY);
    assertThat(node.ask("limit", Json.write(sent)).data()).containsEntry("remaining", 98L);
    assertThat(limit("shared", "ten").data()).containsEntry("remaining", 7L);
  }

  @Test
  void costAndPeekWorkAsWithASentLimit() {
    assertThat(limitWithCost("cost", "ten", 4).data()).containsEntry("remaining", 6L);
    assertThat(limitWithCost("cost", "ten", 0).data()).containsEntry("remaining", 6L);
    assertThat(limitWithCost("cost", "ten", 7).data()).containsEntry("success", false);
    assertThat(limitWithCost("cost", "ten", 6).data()).containsEntry("remaining", 0L);
  }

  /** A window that a request could not send itself. */
  @Test
  void ruleMayHaveAWindowOfAYear() {
    assertThat(limit("year", "year").data()).containsEntry("remaining", 4L);
  }

  @Test
  void limitOfZeroDenies() {
    assertThat(limit("zero", "none").data())
        .containsEntry("success", false)
        .containsEntry("limit", 0L)
        .doesNotContainKey("retryAfter");
  }

  @Test
  void unlimitedRuleNeverDenies() {
    for (int i = 0; i < 3; i++) {
      assertThat(limitWithCost("free", "free", 1_000_000_000_000L).data())
          .containsEntry("success", true)
          .containsEntry("limit", 1_000_000_000_000L);
    }
  }

  @Test
  void shadowRuleCountsAndNeverDenies() {
    for (long remaining : new long[] {1, 0, 0, 0}) {
      assertThat(limit("shadow", "trial").data())
          .containsEntry("success", true)
          .containsEntry("limit", 2L)
          .containsEntry("remaining", remaining)
          .doesNotContainKey("retryAfter");
    }
  }

  @Test
  void overrideReplacesTheLimitOfTheRule() {
    limit("overridden", "two");
    node.ask(
        "setOverride",
        Json.object(
            "namespace", "named", "identifier", "overridden", "limit", 50, "duration", DAY));
    assertThat(limit("overridden", "two").data())
        .containsEntry("limit", 50L)
        .containsEntry("remaining", 48L)
        .containsKey("overrideId");
  }

  @Test
  void unknownRuleIsNamedAndCreatesNoNamespace() {
    Map<String, Object> entry = entry("user", "no such rule");
    entry.put("namespace", "not created");
    Answer answer = node.ask("limit", Json.write(entry));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.kind()).isEqualTo("ratelimit_rule_not_found");
    assertThat(answer.error().get("detail"))
        .isEqualTo(
            "The domain '" + node.workspaceId() + "' has no rule with the name 'no such rule'.");
    assertThat(
            node.ask("getOverride", Json.object("namespace", "not created", "identifier", "user"))
                .kind())
        .isEqualTo("ratelimit_namespace_not_found");
  }

  @Test
  void ambiguousNameIsRejected() {
    Answer answer = limit("user", "vague");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.kind()).isEqualTo("ratelimit_rule_ambiguous");
    assertThat((String) answer.error().get("detail"))
        .contains("'vague' is ambiguous", node.workspaceId());
  }

  /** The node has a domain with the same rules that is not the workspace's. */
  @Test
  void otherWorkspacesDoNotSeeTheRules() throws Exception {
    String other = node.catalog().createWorkspace("another", null).id();
    String key = node.newKeyOf(other, "ratelimit.*.limit", "ratelimit.*.create_namespace");
    Answer answer = node.askAs(key, "limit", Json.write(entry("user", "two")));
    assertThat(answer.status()).isEqualTo(404);
    assertThat((String) answer.error().get("detail")).contains(other);
  }

  @Test
  void ruleWithLimitOrDurationIsRejected() {
    Map<String, Object> entry = entry("both", "two");
    entry.put("limit", 10);
    assertThat(node.ask("limit", Json.write(entry)).violations())
        .containsExactly(Json.map(
            "location",
            "body.limit",
            "message",
            "must not be given together with a rule",
            "fix",
            "Omit it, or omit the rule."));
    entry.put("duration", 60_000);
    assertThat(multiLimit(entry("both", "two"), entry).violations())
        .extracting(violation -> violation.get("location"))
        .containsExactly("body[1].limit", "body[1].duration");
  }

  @Test
  void batchMayMixRulesAndLimits() {
    Map<String, Object> sent =
        Json.map("namespace", "named", "identifier", "mix", "limit", 3, "duration", 60_000);
    Answer answer = multiLimit(entry("mix", "two"), sent, entry("mix", "ten"));
    assertThat(answer.data()).containsEntry("passed", true);
    assertThat(answer.rows("limits"))
        .extracting(row -> row.get("limit"))
        .containsExactly(2L, 3L, 10L);
  }

  @Test
  void batchIsDeniedAsAWhole() {
    limitWithCost("whole", "two", 2);
    Answer answer = multiLimit(entry("whole", "two"), entry("whole", "year"));
    assertThat(answer.data()).containsEntry("passed", false);
    assertThat(limitWithCost("whole", "year", 0).data()).containsEntry("remaining", 5L);
  }

  @Test
  void shadowEntryDoesNotDenyTheBatch() {
    limitWithCost("shadow batch", "trial", 2);
    Answer answer = multiLimit(entry("shadow batch", "year"), entry("shadow batch", "trial"));
    assertThat(answer.data()).containsEntry("passed", true);
    assertThat(answer.rows("limits"))
        .allSatisfy(
            row -> assertThat(row).containsEntry("passed", true).doesNotContainKey("retryAfter"));
    assertThat(answer.rows("limits"))
        .extracting(row -> row.get("remaining"))
        .containsExactly(4L, 0L);
  }

  @Test
  void shadowEntryOfADeniedBatchIsNotCharged() {
    limitWithCost("peeked", "year", 5);
    Answer answer = multiLimit(entry("peeked", "trial"), entry("peeked", "year"));
    assertThat(answer.data()).containsEntry("passed", false);
    assertThat(answer.rows("limits").get(0))
        .containsEntry("passed", true)
        .containsEntry("remaining", 2L);
    assertThat(limit("peeked", "trial").data()).containsEntry("remaining", 1L);
  }

  @Test
  void batchOfShadowEntriesPasses() {
    for (int i = 0; i < 4; i++) {
      assertThat(multiLimit(entry("only", "trial"), entry("only", "free")).data())
          .containsEntry("passed", true);
    }
  }
}
