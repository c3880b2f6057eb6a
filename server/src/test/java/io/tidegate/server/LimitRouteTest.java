package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /v2/ratelimit.limit}: what it takes and what it answers. */
class LimitRouteTest {

  /** Thirty days, so that no window ends during a test, except once a month. */
  private static final long MONTH = 2_592_000_000L;

  private static final long MOST = 1_000_000_000_000L;

  /** Two units of UTF-16, one character. */
  private static final String EMOJI = "\uD83C\uDF0A";

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Map<String, Object> request(String identifier, Object... others) {
    Map<String, Object> request =
        Json.map("namespace", "limit", "identifier", identifier, "limit", 10, "duration", MONTH);
    request.putAll(Json.map(others));
    return request;
  }

  private static Answer limit(String identifier, Object... others) {
    return node.ask("limit", Json.write(request(identifier, others)));
  }

  private static Map<String, Object> without(Map<String, Object> request, String field) {
    Map<String, Object> rest = new LinkedHashMap<>(request);
    rest.remove(field);
    return rest;
  }

  private static void assertRejected(Answer answer, String location, String message) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    assertThat(answer.error())
        .containsEntry("title", "Bad Request")
        .containsEntry(
            "detail", "POST request body for '/v2/ratelimit.limit' failed to validate schema")
        .containsEntry("status", 400L)
        .containsEntry("type", "https://unkey.com/docs/errors/unkey/application/invalid_input");
    assertThat(answer.violations())
        .anySatisfy(violation -> assertThat(violation)
            .containsEntry("location", location)
            .containsEntry("message", message));
  }

  @Test
  void answersWithTheRemainingTokensAndTheEndOfTheWindow() {
    long before = System.currentTimeMillis();
    Answer answer = limit("plain");
    long after = System.currentTimeMillis();

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.body().keySet()).containsExactly("meta", "data");
    assertThat(answer.data().keySet()).containsExactly("success", "limit", "remaining", "reset");
    assertThat(answer.data())
        .containsEntry("success", true)
        .containsEntry("limit", 10L)
        .containsEntry("remaining", 9L);
    assertThat((Long) answer.data().get("reset"))
        .isBetween((before / MONTH + 1) * MONTH, (after / MONTH + 1) * MONTH);
  }

  @Test
  void everyAnswerHasItsOwnRequestId() {
    List<Object> ids = List.of(
        limit("id").body().get("meta"),
        limit("id").body().get("meta"),
        node.ask("limit", "{}").body().get("meta"));
    assertThat(ids)
        .doesNotHaveDuplicates()
        .allSatisfy(meta ->
            assertThat(Json.write(meta)).matches("\\{\"requestId\":\"req_[0-9A-Za-z]{9}\"}"));
  }

  @Test
  void theDefaultCostIsOne() {
    assertThat(limit("cost").data()).containsEntry("remaining", 9L);
    assertThat(limit("cost", "cost", 4).data()).containsEntry("remaining", 5L);
    assertThat(limit("cost", "cost", 0).data()).containsEntry("remaining", 5L);
    assertThat(limit("cost", "cost", 5).data())
        .containsEntry("success", true)
        .containsEntry("remaining", 0L);
    assertThat(limit("cost", "cost", 0).data()).containsEntry("success", true);
  }

  @Test
  void deniesWithStatus200AndTakesNothing() {
    limit("denied", "cost", 8);
    Answer denied = limit("denied", "cost", 3);

    assertThat(denied.status()).isEqualTo(200);
    assertThat(denied.data().keySet())
        .containsExactly("success", "limit", "remaining", "reset", "retryAfter");
    assertThat(denied.data()).containsEntry("success", false).containsEntry("remaining", 0L);
    assertThat(limit("denied", "cost", 2).data())
        .containsEntry("success", true)
        .containsEntry("remaining", 0L);
  }

  @Test
  void aDenialHasTheTimeToWait() {
    limit("wait", "cost", 10);
    Map<String, Object> denied = limit("wait").data();
    long untilReset = (Long) denied.get("reset") - System.currentTimeMillis();
    // Of ten tokens, the first is free again a millisecond after the fixed window.
    assertThat((Long) denied.get("retryAfter")).isBetween(untilReset, untilReset + 60_000);
  }

  @Test
  void aDenialHasNoTimeToWaitIfTheCostExceedsTheLimit() {
    assertThat(limit("too much", "cost", 11).data())
        .containsEntry("success", false)
        .containsEntry("remaining", 0L)
        .doesNotContainKey("retryAfter");
    assertThat(limit("too much").data()).containsEntry("remaining", 9L);
  }

  @Test
  void countsEachIdentifierNamespaceAndDurationSeparately() {
    limit("own", "cost", 10);
    assertThat(limit("Own").data()).containsEntry("remaining", 9L);
    assertThat(limit("own", "namespace", "Limit").data()).containsEntry("remaining", 9L);
    assertThat(limit("own", "duration", MONTH - 1).data()).containsEntry("remaining", 9L);
    assertThat(limit("own", "limit", 12).data())
        .as("the limit does not select the counter")
        .containsEntry("remaining", 1L);
  }

  @ParameterizedTest
  @CsvSource({
    "limit, 1, 1000000000000",
    "duration, 1000, 2592000000",
    "cost, 0, 1000000000000",
  })
  void acceptsNumbersWithinTheirBounds(String field, long least, long most) {
    for (long value : new long[] {least, most}) {
      assertThat(limit("bounds of " + field, field, value).status()).isEqualTo(200);
    }
    for (long value : new long[] {least - 1, most + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertRejected(
          limit("bounds of " + field, field, value),
          "body." + field,
          "must be between " + least + " and " + most + ": " + value);
    }
  }

  @Test
  void acceptsTheGreatestLimitAndCostWithoutOverflow() {
    assertThat(limit("greatest", "limit", MOST, "cost", MOST).data())
        .containsEntry("success", true)
        .containsEntry("limit", MOST)
        .containsEntry("remaining", 0L);
    assertThat(limit("greatest", "limit", MOST, "cost", MOST).data())
        .containsEntry("success", false);
  }

  @Test
  void rejectsNumbersOfAnyLength() {
    String digits = "9".repeat(30);
    String body = Json.write(request("long")).replace(":10,", ":" + digits + ",");
    assertRejected(
        node.ask("limit", body), "body.limit", "must be between 1 and " + MOST + ": " + digits);

    Answer answer = node.ask("limit", body.replace(digits, "9".repeat(5_000)));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.violations()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.5", "1e-3", "1e-99999999999", "\"10\"", "true", "null", "[10]", "{\"a\":[1]}"})
  void rejectsOtherValuesThanIntegers(String value) {
    String body = Json.write(request("integer")).replace(":10,", ":" + value + ",");
    assertRejected(node.ask("limit", body), "body.limit", "must be an integer");
  }

  /** JSON Schema defines integers by their value. */
  @ParameterizedTest
  @ValueSource(strings = {"10.0", "1e1", "0.1E+2"})
  void acceptsIntegersInEveryNotation(String value) {
    String body = Json.write(request("notation")).replace(":10,", ":" + value + ",");
    assertThat(node.ask("limit", body).data()).containsEntry("limit", 10L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "null", "[\"a\"]", "{}", "false"})
  void rejectsOtherValuesThanText(String value) {
    String body = Json.write(request("text")).replace(":\"text\"", ":" + value);
    assertRejected(node.ask("limit", body), "body.identifier", "must be a string");
  }

  @ParameterizedTest
  @ValueSource(strings = {"namespace", "identifier"})
  void takesNamesOfUpTo512Characters(String field) {
    for (String name : List.of("a", "b".repeat(512), EMOJI.repeat(512), "ab" + EMOJI.repeat(510))) {
      assertThat(limit("names", field, name).data()).containsEntry("remaining", 9L);
      assertThat(limit("names", field, name).data()).containsEntry("remaining", 8L);
    }
    for (String name : List.of("", "c".repeat(513), EMOJI.repeat(513), "abc" + EMOJI.repeat(510))) {
      assertRejected(
          limit("names", field, name),
          "body." + field,
          "must have 1 to 512 characters, it has " + name.codePointCount(0, name.length()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space",
        " ",
        "line\nbreak",
        "'; DROP TABLE--",
        "\"quoted\"",
        "a/b?c#d",
        "*",
        "a*b",
        "\u0000",
        "\u00e4",
        "a\u0308",
        "ä ",
        "100%",
        "\\"
      })
  void acceptsAnyCharactersInNames(String name) {
    String odd = "odd " + name;
    for (String field : List.of("namespace", "identifier")) {
      assertThat(limit("odd", field, odd).data()).as(field).containsEntry("remaining", 9L);
      assertThat(limit("odd", field, odd).data()).as(field).containsEntry("remaining", 8L);
    }
  }

  @Test
  void rejectsLoneSurrogates() {
    String body = Json.write(request("half")).replace("\"half\"", "\"\\ud83c\"");
    assertRejected(
        node.ask("limit", body), "body.identifier", "must be text, without half a surrogate pair");
  }

  @ParameterizedTest
  @ValueSource(strings = {"namespace", "identifier", "limit", "duration"})
  void requires(String field) {
    assertRejected(
        node.ask("limit", Json.write(without(request("needs"), field))),
        "body." + field,
        "is required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "async",
        "namespaceId",
        "namespaceName",
        "meta",
        "resources",
        "cursor",
        "Limit",
        "LIMIT",
        ""
      })
  void rejectsUnknownFields(String field) {
    Answer answer = limit("others", field, true);
    assertRejected(answer, "body", "must not have the property '" + field + "'");
    assertThat(answer.violations())
        .singleElement()
        .satisfies(
            violation -> assertThat(violation)
                .containsEntry(
                    "fix",
                    "Omit it; the allowed properties are namespace, identifier, limit, duration, cost, rule."));
  }

  @Test
  void rejectsDuplicateFields() {
    String body = Json.write(request("twice")).replace(":10,", ":10,\"limit\":10,");
    assertRejected(node.ask("limit", body), "body.limit", "must not be given twice");
  }

  @Test
  void reportsAllErrorsAtOnce() {
    Answer answer = node.ask("limit", "{\"namespace\":\"\",\"limit\":0,\"async\":true}");
    assertThat(answer.violations())
        .extracting(violation -> violation.get("location"))
        .containsExactlyInAnyOrder(
            "body.namespace", "body.limit", "body", "body.identifier", "body.duration");
  }

  @Test
  void rejectsOtherValuesThanObjects() {
    assertRejected(node.ask("limit", ""), "body", "must not be empty");
    assertRejected(node.ask("limit", "[]"), "body", "must be an object");
    assertRejected(node.ask("limit", "7"), "body", "must be an object");
    assertRejected(node.ask("limit", "null"), "body", "must be an object");
    String whole = Json.write(request("whole"));
    assertRejected(node.ask("limit", whole + whole), "body", "must end after its first value");
  }

  @Test
  void rejectsInvalidJson() {
    assertRejected(
        node.ask("limit", "{\"namespace\": oops}"),
        "body",
        "is not valid JSON at line 1, column 15");
    assertThat(node.ask("limit", Json.write(request("cut")).replace("}", "")).status())
        .isEqualTo(400);
    assertThat(node.ask("limit", "{'namespace':1}").status()).isEqualTo(400);
  }

  @Test
  void rejectsDeepNesting() {
    Answer answer = limit("deep", "meta", Json.parse("[".repeat(100) + "]".repeat(100)));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.kind()).isEqualTo("invalid_input");
    assertThat(answer.error().get("errors").toString()).doesNotContain("-1");
  }

  @Test
  void acceptsBlanksAndAnyOrderOfFields() {
    assertThat(node.ask(
                "limit",
                "\n {\"duration\" : 60000,\t\"cost\":2, \"limit\":5,\r\n\"identifier\":\"order\",\"namespace\":\"limit\"} \n")
            .data())
        .containsEntry("remaining", 3L);
  }

  @Test
  void acceptsTheIdOfANamespace() throws Exception {
    limit("by name", "cost", 3);
    String id =
        node.catalog().createNamespace(node.workspaceId(), "limit", "test").id();
    assertThat(id).matches("rlns_[0-9A-Za-z]{9}");
    assertThat(limit("by name", "namespace", id).data()).containsEntry("remaining", 6L);
    assertThat(limit("by name").data()).containsEntry("remaining", 5L);
  }

  @Test
  void createsAnUnknownNamespace() throws Exception {
    limit("first", "namespace", "made");
    long version = node.catalog().version();
    assertThat(node.catalog().changesSince(0).namespaces())
        .filteredOn(namespace -> namespace.name().equals("made"))
        .hasSize(1);
    limit("second", "namespace", "made");
    assertThat(node.catalog().version()).isEqualTo(version);
  }

  @Test
  void separatesWorkspaces() throws Exception {
    limit("apart", "cost", 10);
    String other = node.newKeyOf(
        node.catalog().createWorkspace("other", null).id(),
        "ratelimit.*.limit",
        "ratelimit.*.create_namespace");
    assertThat(node.askAs(other, "limit", Json.write(request("apart"))).data())
        .containsEntry("remaining", 9L);

    String id =
        node.catalog().createNamespace(node.workspaceId(), "limit", "test").id();
    assertThat(node.askAs(other, "limit", Json.write(request("apart", "namespace", id)))
            .status())
        .as("an id is not a name, and the workspace has no such id")
        .isEqualTo(404);
  }

  @Test
  void ignoresOtherHeaders() {
    Answer answer = node.askAs(
        node.key(),
        "limit",
        Json.write(request("headers")),
        "X-Unkey-Metrics",
        "disabled",
        "X-Test-Time",
        "0",
        "Cookie",
        "");
    assertThat(answer.data()).containsEntry("success", true);
    assertThat((Long) answer.data().get("reset")).isGreaterThan(System.currentTimeMillis());
  }
}
