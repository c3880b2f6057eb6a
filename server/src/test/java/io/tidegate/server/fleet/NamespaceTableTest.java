package io.tidegate.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceTableTest {

  @Test
  void addsUpTheNodesOfARegion() {
    JsonArray table = NamespaceTable.of(List.of(
        node("eu", namespace("login", 10, 1, identifier("x", 5, 1))),
        node("eu", namespace("login", 20, 2, identifier("x", 7, 2))),
        node("us", namespace("login", 1, 0, identifier("y", 3, 0)))));
    assertThat(table).hasSize(1);
    JsonObject login = table.getJsonObject(0);
    assertThat(login.getDouble("allowedPerSecond")).isEqualTo(31);
    assertThat(login.getDouble("deniedPerSecond")).isEqualTo(3);
    JsonObject eu = login.getJsonArray("regions").getJsonObject(0);
    assertThat(eu.getString("region")).isEqualTo("eu");
    assertThat(eu.getDouble("allowedPerSecond")).isEqualTo(30);
    assertThat(eu.getJsonArray("busiest")).isEqualTo(new JsonArray().add(identifier("x", 12, 3)));
    assertThat(login.getJsonArray("regions").getJsonObject(1).getString("region"))
        .isEqualTo("us");
  }

  @Test
  void busiestNamespacesAndIdentifiersComeFirst() {
    JsonArray table = NamespaceTable.of(List.of(node(
        "eu",
        namespace("quiet", 1, 0),
        namespace(
            "busy", 5, 5, identifier("a", 1, 0), identifier("b", 9, 0), identifier("c", 3, 0)))));
    assertThat(table.getJsonObject(0).getString("namespace")).isEqualTo("busy");
    assertThat(table.getJsonObject(1).getString("namespace")).isEqualTo("quiet");
    JsonArray busiest =
        table.getJsonObject(0).getJsonArray("regions").getJsonObject(0).getJsonArray("busiest");
    assertThat(busiest.stream().map(one -> ((JsonObject) one).getString("identifier")))
        .containsExactly("b", "c", "a");
  }

  /** A node of another version may report less. */
  @Test
  void reportsWithoutNamespacesAddNothing() {
    assertThat(NamespaceTable.of(List.of(new JsonObject().put("region", "eu")))).isEmpty();
  }

  @Test
  void namespacesOfDifferentWorkspacesAreKeptApart() {
    JsonObject one = namespace("login", 1, 0);
    JsonObject other = namespace("login", 1, 0).put("workspace", "ws_2");
    assertThat(NamespaceTable.of(List.of(node("eu", one, other)))).hasSize(2);
  }

  private static JsonObject node(String region, JsonObject... namespaces) {
    JsonArray all = new JsonArray();
    List.of(namespaces).forEach(all::add);
    return new JsonObject().put("region", region).put("namespaces", all);
  }

  private static JsonObject namespace(
      String name, double allowed, double denied, JsonObject... busiest) {
    JsonArray all = new JsonArray();
    List.of(busiest).forEach(all::add);
    return new JsonObject()
        .put("workspace", "ws_1")
        .put("namespace", name)
        .put("allowedPerSecond", allowed)
        .put("deniedPerSecond", denied)
        .put("busiest", all)
        .put("mostDenied", new JsonArray());
  }

  private static JsonObject identifier(String name, long count, long error) {
    return new JsonObject()
        .put("identifier", name)
        .put("perMinute", count)
        .put("error", error)
        .put("limit", 10L)
        .put("windowMillis", 60_000L);
  }
}
