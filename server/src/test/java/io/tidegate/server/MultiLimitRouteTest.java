package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code /v2/ratelimit.multiLimit}: all or nothing. */
class MultiLimitRouteTest {

  private static final long MONTH = 2_592_000_000L;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Map<String, Object> entry(
      String namespace, String identifier, long limit, long cost) {
    return Json.map(
        "namespace", namespace,
        "identifier", identifier,
        "limit", limit,
        "duration", MONTH,
        "cost", cost);
  }

  private static Answer multiLimit(Object... entries) {
    return node.ask("multiLimit", Json.write(List.of(entries)));
  }

  private static long remaining(String namespace, String identifier, long limit) {
    return (Long) node.ask("limit", Json.write(entry(namespace, identifier, limit, 0)))
        .data()
        .get("remaining");
  }

  @Test
  void answersInTheOrderOfTheRequest() {
    Answer answer = multiLimit(
        entry("m", "order b", 5, 1), entry("m2", "order a", 7, 3), entry("m", "c", 1, 0));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().keySet()).containsExactly("meta", "data");
    assertThat(answer.data().keySet()).containsExactly("passed", "limits");
    assertThat(answer.data()).containsEntry("passed", true);
    assertThat(answer.rows("limits"))
        .allSatisfy(row -> assertThat(row.keySet())
            .containsExactly("namespace", "identifier", "passed", "limit", "remaining", "reset"))
        .extracting(
            row -> row.get("namespace"),
            row -> row.get("identifier"),
            row -> row.get("passed"),
            row -> row.get("limit"),
            row -> row.get("remaining"))
        .containsExactly(
            tuple("m", "order b", true, 5L, 4L),
            tuple("m2", "order a", true, 7L, 4L),
            tuple("m", "c", true, 1L, 1L));
  }

  @Test
  void chargesNothingWhenOneEntryIsDenied() {
    multiLimit(entry("m", "full", 2, 2));
    Answer answer = multiLimit(entry("m", "free", 5, 2), entry("m", "full", 2, 1));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.data()).containsEntry("passed", false);
    assertThat(answer.rows("limits").get(0))
        .containsEntry("passed", true)
        .as("an entry within its limit was not charged")
        .containsEntry("remaining", 5L)
        .doesNotContainKey("retryAfter");
    assertThat(answer.rows("limits").get(1))
        .containsEntry("passed", false)
        .containsEntry("remaining", 0L)
        .containsKey("retryAfter");
    assertThat(remaining("m", "free", 5)).isEqualTo(5);
  }

  @Test
  void aDenialHasNoTimeToWaitIfTheCostExceedsTheLimit() {
    assertThat(multiLimit(entry("m", "too much", 2, 3)).rows("limits").get(0))
        .containsEntry("passed", false)
        .doesNotContainKey("retryAfter");
  }

  @Test
  void countsADuplicateEntryTwice() {
    Answer fits = multiLimit(entry("m", "twice", 5, 2), entry("m", "twice", 5, 3));
    assertThat(fits.data()).containsEntry("passed", true);
    assertThat(fits.rows("limits")).extracting(row -> row.get("remaining")).containsExactly(3L, 0L);

    Answer exceeds = multiLimit(entry("m", "twice more", 5, 3), entry("m", "twice more", 5, 3));
    assertThat(exceeds.data()).containsEntry("passed", false);
    assertThat(exceeds.rows("limits"))
        .extracting(row -> row.get("passed"))
        .containsExactly(true, false);
    assertThat(remaining("m", "twice more", 5)).isEqualTo(5);
  }

  @Test
  void echoesTheNamespaceAsItWasSent() throws Exception {
    multiLimit(entry("echo", "x", 5, 1));
    String id =
        node.catalog().createNamespace(node.workspaceId(), "echo", "test").id();
    Answer answer = multiLimit(entry(id, "x", 5, 1), entry("echo", "x", 5, 1));
    assertThat(answer.rows("limits"))
        .extracting(row -> row.get("namespace"))
        .containsExactly(id, "echo");
    assertThat(answer.rows("limits"))
        .as("id and name are the same namespace")
        .extracting(row -> row.get("remaining"))
        .containsExactly(3L, 2L);
  }

  @Test
  void createsAllMissingNamespaces() throws Exception {
    Answer answer =
        multiLimit(entry("new 1", "x", 5, 1), entry("new 2", "x", 5, 1), entry("new 1", "x", 5, 1));
    assertThat(answer.data()).containsEntry("passed", true);
    assertThat(answer.rows("limits").get(2)).containsEntry("remaining", 3L);
    assertThat(node.catalog().changesSince(0).namespaces())
        .filteredOn(namespace -> namespace.name().startsWith("new "))
        .extracting(namespace -> namespace.name())
        .containsExactlyInAnyOrder("new 1", "new 2");
  }

  @Test
  void createsAndChargesNothingWithoutPermissionForAllEntries() throws Exception {
    multiLimit(entry("held", "x", 5, 0));
    String id =
        node.catalog().createNamespace(node.workspaceId(), "held", "test").id();
    String key = node.newKey("ratelimit." + id + ".limit");

    assertThat(node.askAs(key, "multiLimit", Json.write(List.of(entry("held", "x", 5, 1))))
            .data())
        .containsEntry("passed", true);

    Answer other = node.askAs(
        key,
        "multiLimit",
        Json.write(List.of(entry("held", "x", 5, 1), entry("never made", "x", 5, 1))));
    assertThat(other.status()).isEqualTo(403);
    assertThat(other.error())
        .containsEntry("detail", "Missing permission: 'ratelimit.*.create_namespace'");

    multiLimit(entry("not held", "x", 5, 0));
    String otherId =
        node.catalog().createNamespace(node.workspaceId(), "not held", "test").id();
    Answer foreign = node.askAs(
        key,
        "multiLimit",
        Json.write(List.of(entry("held", "x", 5, 1), entry("not held", "x", 5, 1))));
    assertThat(foreign.status()).isEqualTo(403);
    assertThat(foreign.error())
        .containsEntry(
            "detail",
            "Missing one of these permissions: 'ratelimit.*.limit' or 'ratelimit." + otherId
                + ".limit'");

    assertThat(remaining("held", "x", 5)).isEqualTo(4);
    assertThat(node.catalog().changesSince(0).namespaces())
        .noneMatch(namespace -> namespace.name().equals("never made"));
  }

  @Test
  void appliesOverridesAndReturnsTheirIds() {
    multiLimit(entry("over", "vip", 5, 0));
    String id = (String) node.ask(
            "setOverride",
            Json.object("namespace", "over", "identifier", "v*", "limit", 50, "duration", MONTH))
        .data()
        .get("overrideId");
    Answer answer = multiLimit(entry("over", "vip", 5, 10), entry("over", "other", 5, 1));
    assertThat(answer.rows("limits").get(0))
        .containsEntry("limit", 50L)
        .containsEntry("remaining", 40L)
        .containsEntry("overrideId", id);
    assertThat(answer.rows("limits").get(1)).doesNotContainKey("overrideId");
  }

  @Test
  void acceptsOneToAHundredEntries() {
    List<Object> entries = new ArrayList<>(Collections.nCopies(100, entry("m", "hundred", 100, 1)));
    Answer all = node.ask("multiLimit", Json.write(entries));
    assertThat(all.data()).containsEntry("passed", true);
    assertThat(all.rows("limits")).hasSize(100);
    assertThat(all.rows("limits").get(99)).containsEntry("remaining", 0L);

    entries.add(entry("m", "one more", 1, 1));
    assertRefused(entries, "body", "must have 1 to 100 entries, it has 101");
    assertRefused(List.of(), "body", "must have 1 to 100 entries, it has 0");
  }

  @Test
  void namesTheInvalidEntry() {
    assertRefused(
        List.of(entry("m", "right", 1, 1), entry("m", "wrong", 0, 1)),
        "body[1].limit",
        "must be between 1 and 1000000000000: 0");
    Map<String, Object> unknown = entry("m", "right", 1, 1);
    unknown.put("async", true);
    assertRefused(List.of(unknown), "body[0]", "must not have the property 'async'");
    assertRefused(List.of(7L), "body[0]", "must be an object");
    assertRefused(entry("m", "no array", 1, 1), "body", "must be an array");
  }

  @Test
  void reportsABoundedNumberOfErrors() {
    Answer answer = node.ask("multiLimit", "[" + "{},".repeat(99) + "{}]");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.violations()).hasSize(20);
  }

  private static void assertRefused(Object body, String location, String message) {
    Answer answer = node.ask("multiLimit", Json.write(body));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    assertThat(answer.error())
        .containsEntry(
            "detail", "POST request body for '/v2/ratelimit.multiLimit' failed to validate schema");
    assertThat(answer.violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation)
            .containsEntry("location", location)
            .containsEntry("message", message));
  }
}
