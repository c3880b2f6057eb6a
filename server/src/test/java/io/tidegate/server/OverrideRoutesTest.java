package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Namespace;
import io.tidegate.testkit.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes that set, get, list and delete overrides. */
class OverrideRoutesTest extends OverrideScenario {

  @Test
  void setReturnsTheId() {
    Answer answer = set("x", 1, MONTH);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().keySet()).containsExactly("meta", "data");
    assertThat(answer.data().keySet()).containsExactly("overrideId");
    assertThat((String) answer.data().get("overrideId")).matches(OVERRIDE_ID);
  }

  @Test
  void keepsTheIdWhenItIsChanged() {
    String id = set("changed", 5);
    assertThat(set("changed", 7)).isEqualTo(id);
    assertThat(limit("changed", 0)).containsEntry("limit", 7L).containsEntry("overrideId", id);
  }

  @Test
  void isRestoredUnderItsIdAfterDeletion() {
    String id = set("back", 5);
    delete("back");
    assertNoOverride(get("back"));
    assertThat(set("back", 6)).isEqualTo(id);
    assertThat(limit("back", 0)).containsEntry("limit", 6L).containsEntry("overrideId", id);
    assertThat(get("back").data()).containsEntry("limit", 6L);
    assertThat(list().rows()).hasSize(1);
  }

  @Test
  void deletionReturnsNothingAndAppliesImmediately() {
    set("gone", 5);
    Answer answer = delete("gone");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.data()).isEmpty();
    assertThat(limit("gone", 0)).containsEntry("limit", 10L).doesNotContainKey("overrideId");
    assertNoOverride(delete("gone"));
    assertNoOverride(get("gone"));
  }

  @Test
  void deletesTheExactPatternOnly() {
    set("user_*", 5);
    assertNoOverride(delete("user_1"));
    assertNoOverride(delete("user_"));
    assertNoOverride(delete("*"));
    assertThat(delete("user_*").status()).isEqualTo(200);
  }

  @Test
  void getFindsTheOverrideThatApplies() {
    String id = set("user_*", 7, 3_600_000).data().get("overrideId").toString();
    Map<String, Object> expected =
        Json.map("overrideId", id, "duration", 3_600_000L, "identifier", "user_*", "limit", 7L);
    assertThat(get("user_*").data()).isEqualTo(expected);
    assertThat(get("user_9").data()).isEqualTo(expected);
    assertNoOverride(get("team_9"));
  }

  @Test
  void acceptsTheIdOfTheNamespace() {
    String id = set("by id", 7);
    String body = Json.object("namespace", namespaceId, "identifier", "by id");
    assertThat(node.ask("getOverride", body).data()).containsEntry("overrideId", id);
    assertThat(node.ask("listOverrides", Json.object("namespace", namespaceId)).rows())
        .hasSize(1);
    assertThat(node.ask("deleteOverride", body).status()).isEqualTo(200);
    assertThat(node.ask(
                "setOverride",
                Json.object(
                    "namespace", namespaceId, "identifier", "by id", "limit", 1, "duration", MONTH))
            .data())
        .containsEntry("overrideId", id);
  }

  @Test
  void listsTenByDefaultSortedById() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      ids.add(set("list " + i, i));
    }
    ids.sort(null);

    Answer first = list();
    assertThat(first.body().keySet()).containsExactly("meta", "data", "pagination");
    assertThat(first.rows()).extracting(row -> row.get("overrideId")).isEqualTo(ids.subList(0, 10));
    assertThat(first.rows().get(0).keySet())
        .containsExactlyInAnyOrder("overrideId", "duration", "identifier", "limit");
    assertThat(first.pagination()).isEqualTo(Json.map("hasMore", true, "cursor", ids.get(10)));

    Answer second = list("cursor", first.pagination().get("cursor"));
    assertThat(second.rows())
        .extracting(row -> row.get("overrideId"))
        .isEqualTo(ids.subList(10, 20));

    Answer last = list("cursor", second.pagination().get("cursor"));
    assertThat(last.rows()).extracting(row -> row.get("overrideId")).isEqualTo(ids.subList(20, 23));
    assertThat(last.pagination())
        .as("no cursor on the last page")
        .isEqualTo(Json.map("hasMore", false));

    assertThat(list("limit", 23).pagination()).isEqualTo(Json.map("hasMore", false));
    assertThat(list("limit", 22).pagination())
        .isEqualTo(Json.map("hasMore", true, "cursor", ids.get(22)));
    assertThat(list("limit", 1, "cursor", ids.get(5)).rows())
        .extracting(row -> row.get("overrideId"))
        .containsExactly(ids.get(5));
    assertThat(list("limit", 100).rows()).hasSize(23);
  }

  @Test
  void listsNoDeletedOverrides() {
    String first = set("first", 1);
    set("second", 2);
    delete("second");
    assertThat(list().rows()).extracting(row -> row.get("overrideId")).containsExactly(first);
    assertThat(list("cursor", "zzzz").rows()).isEmpty();
    assertThat(list("cursor", "").rows()).hasSize(1);
    delete("first");
    assertThat(list().rows()).isEmpty();
    assertThat(list().pagination()).isEqualTo(Json.map("hasMore", false));
  }

  @Test
  void aCursorStaysValidWhenItsOverrideIsDeleted() {
    for (int i = 0; i < 3; i++) {
      set("meanwhile " + i, i);
    }
    List<Map<String, Object>> all = list().rows();
    String cursor = (String) list("limit", 1).pagination().get("cursor");
    delete((String) all.get(1).get("identifier"));
    assertThat(list("cursor", cursor).rows()).isEqualTo(all.subList(2, 3));
  }

  @ParameterizedTest
  @CsvSource({
    "setOverride, limit, 0, 1000000000000",
    "setOverride, duration, 1000, 31622400000",
    "listOverrides, limit, 1, 100",
  })
  void acceptsNumbersWithinTheirBounds(String route, String field, long least, long most) {
    Map<String, Object> body = Json.map("namespace", namespace);
    if (route.equals("setOverride")) {
      body.putAll(Json.map("identifier", "bounds", "limit", 1, "duration", MONTH));
    }
    for (long value : new long[] {least, most}) {
      body.put(field, value);
      assertThat(node.ask(route, Json.write(body)).status()).isEqualTo(200);
    }
    for (long value : new long[] {least - 1, most + 1}) {
      body.put(field, value);
      Answer answer = node.ask(route, Json.write(body));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.error())
          .containsEntry(
              "detail",
              "POST request body for '/v2/ratelimit." + route + "' failed to validate schema");
      assertThat(answer.violations())
          .isEqualTo(List.of(Json.map(
              "location", "body." + field,
              "message", "must be between " + least + " and " + most + ": " + value)));
    }
  }

  @Test
  void acceptsTheLongestPatternsAndDurations() {
    String pattern = "\uD83C\uDF0A".repeat(511) + "*";
    String id = (String) set(pattern, 5, 31_622_400_000L).data().get("overrideId");
    assertThat(limit("\uD83C\uDF0A".repeat(512), 1))
        .containsEntry("overrideId", id)
        .containsEntry("remaining", 4L);
    assertThat(set(pattern + "*", 5, MONTH).status()).isEqualTo(400);
    assertThat(set("", 5, MONTH).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"setOverride", "getOverride", "listOverrides", "deleteOverride"})
  void neverCreateANamespace(String route) throws Exception {
    Map<String, Object> body = Json.map("namespace", "nowhere");
    if (!route.equals("listOverrides")) {
      body.put("identifier", "x");
    }
    if (route.equals("setOverride")) {
      body.putAll(Json.map("limit", 1, "duration", 1000));
    }
    Answer answer = node.ask(route, Json.write(body));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.error())
        .isEqualTo(Json.map(
            "title", "Not Found",
            "detail", "This namespace does not exist.",
            "status", 404L,
            "type", "https://unkey.com/docs/errors/unkey/data/ratelimit_namespace_not_found"));
    assertThat(node.catalog().changesSince(0).namespaces())
        .noneMatch(namespace -> namespace.name().equals("nowhere"));

    body.put("async", true);
    assertThat(node.ask(route, Json.write(body)).kind()).isEqualTo("invalid_input");
  }

  @ParameterizedTest
  @CsvSource({
    "setOverride, set_override",
    "listOverrides, read_override",
    "deleteOverride, delete_override"
  })
  void requirePermission(String route, String action) {
    set("permission", 5);
    Map<String, Object> fields = Json.map("namespace", namespace);
    if (!route.equals("listOverrides")) {
      fields.put("identifier", "permission");
    }
    if (route.equals("setOverride")) {
      fields.putAll(Json.map("limit", 1, "duration", 1000));
    }
    String body = Json.write(fields);

    String none = node.newKey(
        "ratelimit.*.limit",
        "ratelimit.rlns_other." + action,
        "ratelimit.*." + action + "s",
        "ratelimit." + action);
    Answer refused = node.askAs(none, route, body);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.error())
        .isEqualTo(Json.map(
            "title",
            "Insufficient Permissions",
            "detail",
            "Missing one of these permissions: 'ratelimit.*." + action + "' or 'ratelimit."
                + namespaceId + "." + action + "'",
            "status",
            403L,
            "type",
            "https://unkey.com/docs/errors/unkey/authorization/insufficient_permissions"));
    assertThat(limit("permission", 0)).as("nothing changed").containsEntry("limit", 5L);

    String here = node.newKey("ratelimit." + namespaceId + "." + action);
    assertThat(node.askAs(here, route, body).status()).isEqualTo(200);
    set("permission", 5);
    String everywhere = node.newKey("ratelimit.*." + action);
    assertThat(node.askAs(everywhere, route, body).status()).isEqualTo(200);
  }

  @Test
  void getHidesOverridesWithoutPermission() {
    set("secret", 5);
    String key = node.newKey("ratelimit.*.limit", "ratelimit.*.set_override");
    Answer hidden = node.askAs(key, "getOverride", named("secret"));
    Answer missing = node.askAs(key, "getOverride", named("missing"));
    assertNoOverride(hidden);
    assertThat(hidden.error()).isEqualTo(missing.error());
  }

  @Test
  void getAcceptsPermissionsOnNamedResources() throws Exception {
    String id = set("resource", 5);
    String ws = node.workspaceId();
    String path = "ratelimits/namespaces/" + namespaceId + "/overrides/" + id;
    List<String> enough = List.of(
        "ratelimit.*.read_override",
        "ratelimit." + namespaceId + ".read_override",
        "unkey:v1:" + ws + ":" + path + "#read_override",
        "unkey:v1:" + ws + ":" + path + "#*",
        "unkey:v1:*:" + path + "#read_override",
        "unkey:v1:" + ws + ":ratelimits/namespaces/" + namespaceId + "/overrides/*#read_override",
        "unkey:v1:" + ws + ":ratelimits/namespaces/*/overrides/*#read_override",
        "unkey:v1:" + ws + ":ratelimits/**#*",
        "unkey:v1:" + ws + ":**#read_override");
    List<String> notEnough = List.of(
        "unkey:v1:" + ws + ":" + path + "#set_override",
        "unkey:v1:ws_other:" + path + "#read_override",
        "unkey:v1:" + ws + ":" + path + "x#read_override",
        "unkey:v1:" + ws + ":ratelimits/namespaces/*#read_override",
        "unkey:v1:" + ws + ":" + path + "/**#read_override",
        "unkey:v1:" + ws + ":*#read_override",
        "unkey:v2:" + ws + ":" + path + "#read_override",
        "unkey:v1:" + ws + ":" + path);
    Map<String, String> keys = new LinkedHashMap<>();
    for (List<String> permissions : List.of(enough, notEnough)) {
      for (String permission : permissions) {
        keys.put(
            permission, node.catalog().createKey(ws, "test", Set.of(permission)).secret());
      }
    }
    node.newKey(); // returns when the node has read the edits before

    for (String permission : enough) {
      assertThat(
              node.askAs(keys.get(permission), "getOverride", named("resource")).data())
          .as(permission)
          .containsEntry("overrideId", id);
    }
    for (String permission : notEnough) {
      assertNoOverride(node.askAs(keys.get(permission), "getOverride", named("resource")));
    }
  }

  @Test
  void areHiddenWhileTheirNamespaceIsDeleted() throws Exception {
    set("deleted", 5);
    node.catalog().deleteNamespace(namespaceId, "test");
    Waiting.untilPassed(
        Duration.ofSeconds(20),
        () -> assertThat(get("deleted").kind()).isEqualTo("ratelimit_namespace_not_found"));
    assertThat(list().kind()).isEqualTo("ratelimit_namespace_not_found");
    assertThat(delete("deleted").kind()).isEqualTo("ratelimit_namespace_not_found");
    assertThat(set("deleted", 6, MONTH).kind()).isEqualTo("ratelimit_namespace_not_found");

    node.catalog().restoreNamespace(namespaceId, "test");
    Waiting.untilPassed(
        Duration.ofSeconds(20), () -> assertThat(get("deleted").status()).isEqualTo(200));
    assertThat(get("deleted").data()).containsEntry("limit", 5L);
  }

  @Test
  void aNamespaceHasAtMostAThousandWildcards() throws Exception {
    Namespace here = node.catalog().createNamespace(node.workspaceId(), namespace, "test");
    for (int i = 0; i < 1_000; i++) {
      node.catalog().setOverride(here.id(), i + "*", i, MONTH, "test");
    }
    Waiting.untilPassed(
        Duration.ofSeconds(20),
        () -> assertThat(get("999*").data()).containsEntry("identifier", "999*"));

    Answer answer = set("one more*", 1, MONTH);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.error())
        .isEqualTo(Json.map(
            "title", "Forbidden",
            "detail",
                "A workspace has at most 100000 overrides, deleted ones included, and a namespace 1000 with wildcards.",
            "status", 403L,
            "type", "https://unkey.com/docs/errors/unkey/authorization/forbidden"));
    assertThat(set("no wildcard", 1, MONTH).status()).isEqualTo(200);
    assertThat(set("999*", 1, MONTH).status()).as("an existing one").isEqualTo(200);
    delete("0*");
    assertThat(set("one more*", 1, MONTH).status()).isEqualTo(200);
    assertThat(limit("7777", 0)).containsEntry("limit", 777L);
  }
}
