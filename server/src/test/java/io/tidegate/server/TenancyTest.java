package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.catalog.Workspace;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Isolation of two workspaces of one server. */
class TenancyTest {

  private static final Set<String> ALL = Set.of(
      "ratelimit.*.limit",
      "ratelimit.*.create_namespace",
      "ratelimit.*.set_override",
      "ratelimit.*.read_override",
      "ratelimit.*.delete_override");

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static Node node;
  private static Workspace other;
  private static String otherKey;

  /** A namespace name that both workspaces use; the first has an override in it. */
  private String name;

  private String namespaceId;
  private String overrideId;

  @BeforeAll
  static void start() throws SQLException {
    node = Node.start();
    other = node.catalog().createWorkspace("other", null);
    otherKey = awaitRead(node.catalog().createKey(other.id(), "all", ALL));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void createNamespaces() throws SQLException {
    name = "name" + NAMES.incrementAndGet();
    assertThat(limit(node.key(), name, "a", 10).statusCode()).isEqualTo(200);
    assertThat(limit(otherKey, name, "a", 10).statusCode()).isEqualTo(200);
    namespaceId =
        node.catalog().createNamespace(node.workspaceId(), name, "test").id();
    overrideId = (String) data(setOverride(node.key(), name, "vip*", 7)).get("overrideId");
  }

  /** Returns the secret of a new key after the server has read it. */
  private static String awaitRead(NewRootKey key) {
    await("the node to read the key", () -> list(key.secret(), "nothing").statusCode() != 401);
    return key.secret();
  }

  private static String key(String workspaceId, String... permissions) throws SQLException {
    return awaitRead(node.catalog().createKey(workspaceId, "some", Set.of(permissions)));
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static HttpResponse<String> post(String key, String route, String body) {
    return node.post("/v2/ratelimit." + route, body, "Authorization", "Bearer " + key);
  }

  private static HttpResponse<String> limit(
      String key, String namespace, String identifier, int limit) {
    return post(
        key,
        "limit",
        "{\"namespace\":\"%s\",\"identifier\":\"%s\",\"limit\":%d,\"duration\":3600000}"
            .formatted(namespace, identifier, limit));
  }

  private static HttpResponse<String> multiLimit(String key, String namespace) {
    return post(
        key,
        "multiLimit",
        "[{\"namespace\":\"%s\",\"identifier\":\"a\",\"limit\":10,\"duration\":3600000}]"
            .formatted(namespace));
  }

  private static HttpResponse<String> setOverride(
      String key, String namespace, String pattern, int limit) {
    return post(
        key,
        "setOverride",
        "{\"namespace\":\"%s\",\"identifier\":\"%s\",\"limit\":%d,\"duration\":60000}"
            .formatted(namespace, pattern, limit));
  }

  private static HttpResponse<String> getOverride(String key, String namespace, String identifier) {
    return post(
        key,
        "getOverride",
        "{\"namespace\":\"%s\",\"identifier\":\"%s\"}".formatted(namespace, identifier));
  }

  private static HttpResponse<String> deleteOverride(
      String key, String namespace, String identifier) {
    return post(
        key,
        "deleteOverride",
        "{\"namespace\":\"%s\",\"identifier\":\"%s\"}".formatted(namespace, identifier));
  }

  private static HttpResponse<String> list(String key, String namespace) {
    return post(key, "listOverrides", "{\"namespace\":\"%s\"}".formatted(namespace));
  }

  private static Map<?, ?> data(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return (Map<?, ?>) AbuseEnvelope.data(answer.body());
  }

  /** The parts of an answer that could reveal something. */
  private static String revealed(HttpResponse<String> answer) {
    return answer.statusCode() + answer.body().replaceAll("req_[0-9A-Za-z]{9}", "");
  }

  /** The answers of all routes that create nothing. */
  private static List<String> answersTo(String key, String namespace) {
    return List.of(
        revealed(setOverride(key, namespace, "vip*", 1)),
        revealed(getOverride(key, namespace, "vip*")),
        revealed(getOverride(key, namespace, "vip1")),
        revealed(deleteOverride(key, namespace, "vip*")),
        revealed(list(key, namespace)));
  }

  @Test
  void idOfAnotherWorkspaceIsAnsweredLikeAnUnknownOne() {
    assertThat(answersTo(otherKey, namespaceId)).isEqualTo(answersTo(otherKey, "rlns_123456789"));
    assertThat(answersTo(otherKey, namespaceId)).allMatch(answer -> answer.startsWith("404"));
    assertThat(data(getOverride(node.key(), name, "vip*"))).isNotEmpty(); // it was not deleted
  }

  @Test
  void idsOfOtherWorkspacesAreHiddenFromKeysThatMayNotCreate() throws SQLException {
    String limited = key(other.id(), "ratelimit.*.limit", "ratelimit." + namespaceId + ".limit");
    String unknown = revealed(limit(limited, "rlns_123456789", "a", 10));
    assertThat(unknown).startsWith("404");
    assertThat(revealed(limit(limited, namespaceId, "a", 10))).isEqualTo(unknown);
    assertThat(revealed(multiLimit(limited, namespaceId)))
        .isEqualTo(revealed(multiLimit(limited, "rlns_123456789")));
  }

  /**
   * Once, an unknown id created a namespace of that name, which then hid the namespace with this id
   * if that belonged to the same workspace and had not been read yet.
   */
  @Test
  void idIsNeverTheNameOfANamespace() throws SQLException {
    assertThat(revealed(limit(otherKey, namespaceId, "vip1", 10))).startsWith("404");
    assertThat(revealed(multiLimit(otherKey, namespaceId))).startsWith("404");
    assertThat(revealed(list(otherKey, namespaceId))).startsWith("404");
    assertThatThrownBy(() -> node.catalog().createNamespace(other.id(), namespaceId, "test"))
        .hasMessage("name must not have the form of an id: " + namespaceId);
    assertThat(data(limit(node.key(), namespaceId, "vip1", 10)).get("limit")).isEqualTo(7L);
  }

  @Test
  void overridesOfTheSameNameAreSeparate() {
    assertThat(revealed(getOverride(otherKey, name, "vip1"))).startsWith("404");
    assertThat(revealed(list(otherKey, name))).doesNotContain("vip");
    assertThat(revealed(deleteOverride(otherKey, name, "vip*"))).startsWith("404");
    assertThat(data(limit(otherKey, name, "vip1", 10)).get("limit")).isEqualTo(10L);
    String page = "{\"namespace\":\"%s\",\"cursor\":\"%s\"}".formatted(name, overrideId);
    assertThat(revealed(post(otherKey, "listOverrides", page))).doesNotContain("vip");
    Object others = data(setOverride(otherKey, name, "vip*", 1)).get("overrideId");
    assertThat(others).isNotEqualTo(overrideId);
    assertThat(data(getOverride(node.key(), name, "vip1")).get("limit")).isEqualTo(7L);
  }

  @Test
  void countsOfTheSameNameAreSeparate() {
    for (int i = 0; i < 3; i++) {
      limit(node.key(), name, "shared", 3);
    }
    assertThat(data(limit(node.key(), name, "shared", 3)).get("success")).isEqualTo(false);
    assertThat(data(limit(otherKey, name, "shared", 3)).get("remaining")).isEqualTo(2L);
  }

  @Test
  void namespaceIsTheSameByIdAndByName() {
    data(limit(node.key(), name, "both", 10));
    assertThat(data(limit(node.key(), namespaceId, "both", 10)).get("remaining"))
        .isEqualTo(8L);
  }

  @Test
  void permissionAppliesToItsNamespaceOnly() throws SQLException {
    String one = key(
        node.workspaceId(),
        "ratelimit." + namespaceId + ".limit",
        "ratelimit." + namespaceId + ".read_override");
    String another = "another" + name;
    data(limit(node.key(), another, "a", 10));
    data(setOverride(node.key(), another, "vip*", 7));
    for (String allowed : List.of(name, namespaceId)) {
      data(limit(one, allowed, "a", 10));
      data(multiLimit(one, allowed));
      data(getOverride(one, allowed, "vip1"));
      assertThat(revealed(list(one, allowed))).startsWith("200");
      assertThat(revealed(setOverride(one, allowed, "vip*", 1))).startsWith("403");
      assertThat(revealed(deleteOverride(one, allowed, "vip*"))).startsWith("403");
    }
    assertThat(revealed(limit(one, another, "a", 10))).startsWith("403");
    assertThat(revealed(multiLimit(one, another))).startsWith("403");
    assertThat(revealed(list(one, another))).startsWith("403");
    assertThat(revealed(getOverride(one, another, "vip1"))).startsWith("404");
    assertThat(revealed(limit(one, "new" + name, "a", 10))).startsWith("403");
    assertThat(revealed(list(node.key(), "new" + name))).startsWith("404"); // it was not created
  }

  @Test
  void overridesAreHiddenWithoutPermission() throws SQLException {
    String blind = key(node.workspaceId(), "ratelimit.*.limit", "ratelimit.*.set_override");
    String unknown = revealed(getOverride(blind, name, "no match"));
    assertThat(unknown).startsWith("404").contains("ratelimit_override_not_found");
    assertThat(revealed(getOverride(blind, name, "vip*"))).isEqualTo(unknown);
    assertThat(revealed(getOverride(blind, name, "vip1"))).isEqualTo(unknown);
  }

  @Test
  void resourceNameAppliesToItsWorkspaceOnly() throws SQLException {
    String path = ":ratelimits/namespaces/%s/overrides/%s#read_override";
    String exact = path.formatted(namespaceId, overrideId);
    data(getOverride(
        key(node.workspaceId(), "unkey:v1:" + node.workspaceId() + exact), name, "vip1"));
    String foreign = key(other.id(), "unkey:v1:" + node.workspaceId() + exact, "unkey:v1:*:**#*");
    assertThat(revealed(getOverride(foreign, namespaceId, "vip1"))).startsWith("404");
    assertThat(revealed(getOverride(foreign, name, "vip1"))).startsWith("404");
    String elsewhere = key(node.workspaceId(), "unkey:v1:" + other.id() + exact);
    assertThat(revealed(getOverride(elsewhere, name, "vip1"))).startsWith("404");
  }

  @Test
  void disabledAndRevokedKeysAreRejected() throws SQLException {
    NewRootKey created = node.catalog().createKey(other.id(), "some", ALL);
    String key = awaitRead(created);
    node.catalog().disableKey(created.key().id());
    await("the rejection", () -> revealed(list(key, name)).matches("403.*key_disabled.*"));
    node.catalog().enableKey(created.key().id());
    await("the key to be accepted", () -> list(key, name).statusCode() == 200);
    node.catalog().revokeKey(created.key().id());
    await("the revocation", () -> list(key, name).statusCode() == 401);
    assertThat(revealed(list(key, name))).isEqualTo(revealed(list("tg_unknown", name)));
    assertThat(list(otherKey, name).statusCode()).isEqualTo(200);
  }

  @Test
  void disablingAWorkspaceRejectsItsKeysOnly() throws SQLException {
    Workspace third = node.catalog().createWorkspace("third", null);
    String key = key(third.id(), ALL.toArray(String[]::new));
    node.catalog().disableWorkspace(third.id());
    await("the rejection", () -> revealed(list(key, name)).matches("403.*workspace_disabled.*"));
    assertThat(list(otherKey, name).statusCode()).isEqualTo(200);
    node.catalog().setRequestsPerMinute(third.id(), 0L);
    node.catalog().enableWorkspace(third.id());
    await("the limit of 0 requests", () -> list(key, name).statusCode() == 429);
    assertThat(list(otherKey, name).statusCode()).isEqualTo(200);
    node.catalog().setRequestsPerMinute(third.id(), null);
    await("the key to be accepted", () -> list(key, name).statusCode() == 404);
  }

  @Test
  void nearlyCorrectKeysAreAnsweredLikeUnknownOnes() {
    String unknown = revealed(list("x", name));
    assertThat(unknown).startsWith("401");
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < otherKey.length(); i++) {
      wrong.add(otherKey.substring(0, i) + "!" + otherKey.substring(i + 1));
    }
    wrong.add(otherKey + "x");
    wrong.add(otherKey.substring(1));
    wrong.add(otherKey.toUpperCase(java.util.Locale.ROOT));
    wrong.add("Bearer " + otherKey);
    wrong.add("x".repeat(8_000));
    for (String key : wrong) {
      assertThat(revealed(list(key, name))).isEqualTo(unknown);
    }
  }

  @Test
  void malformedHeadersAreReported() {
    for (String header : List.of("Bearer", "Bearer ", "bearer x", "Basic eDp4", "x", "Bearer\tx")) {
      HttpResponse<String> answer = node.post(
          "/v2/ratelimit.listOverrides", "{\"namespace\":\"n\"}", "Authorization", header);
      assertThat(revealed(answer))
          .as(header)
          .startsWith("400")
          .contains("authentication/malformed");
    }
  }
}
