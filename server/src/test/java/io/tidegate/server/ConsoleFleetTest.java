package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console of a fleet of two regions, with real processes, Redis and MariaDB. */
@Timeout(240)
class ConsoleFleetTest {

  private Fleet fleet;
  private NodeProcess here;
  private NodeProcess abroad;

  @BeforeEach
  void start() {
    fleet = Fleet.startOfOne();
    here = fleet.nodes(Fleet.HERE).get(0);
    abroad = fleet.nodes(Fleet.ABROAD).get(0);
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  @Test
  void everyNodeShowsTheFleetAndItsCounts() {
    for (int i = 0; i < 30; i++) {
      fleet.client().mustTake(here, "traveller", 40, 1);
    }
    here.await("both nodes", () -> states(here).equals(List.of("ok", "ok")));
    fleet
        .database()
        .execute("INSERT INTO tidegate_nodes VALUES ('odd', 'zz',"
            + " '{\"state\":\"ok\",\"namespaces\":{\"a\":1}}', 99999999999999)");
    here.await("the odd report", () -> states(here).size() == 3); // of another version, perhaps
    fleet.database().execute("DELETE FROM tidegate_nodes WHERE node = 'odd'");
    here.await("both nodes", () -> states(here).equals(List.of("ok", "ok")));
    JsonObject state = state(here);
    assertThat(state.getJsonObject("fleet").getString("status")).isEqualTo("ok");
    assertThat(state.getJsonArray("nodes").stream()
            .map(node -> ((JsonObject) node).getString("region")))
        .containsExactly(Fleet.HERE, Fleet.ABROAD);

    // A node that was never asked for the identifier shows what all regions have pushed. The policy
    // pushes the count of one region when it has doubled, so at least half of it.
    abroad.await("the count of the other region", () -> effective(abroad) >= 15);
    JsonObject window = window(abroad);
    assertThat(window.getLong("effective")).isBetween(15L, 30L);
    assertThat(counts(window, "regions", "region"))
        .containsExactly("eu=" + window.getLong("effective"));
    assertThat(window.getJsonObject("origin").getString("status")).isEqualTo("ok");
    assertThat(counts(window(here), "nodes", "node")).singleElement().asString().endsWith("=30");
  }

  @Test
  void storesThatFailAreNamedAndTheRestIsShown() {
    fleet.client().mustTake(here, "traveller", 40, 5);
    here.await("the count", () -> effective(here) == 5);
    fleet.redis(Fleet.HERE).kill();
    here.await(
        "the failure of the origin",
        () -> window(here).getJsonObject("origin").getString("status").equals("failed"));
    JsonObject window = window(here);
    assertThat(window.getJsonObject("origin").getString("reason")).isNotBlank();
    assertThat(window.getLong("effective")).isEqualTo(5);
    here.await(
        "the degraded origin",
        () -> state(here)
            .getJsonArray("nodes")
            .getJsonObject(0)
            .getJsonObject("dependencies")
            .getJsonObject("origin")
            .getString("status")
            .equals("degraded"));
    fleet.database().pause();
    try {
      here.await(
          "the failure of the database",
          () -> state(here).getJsonObject("fleet").getString("status").equals("unavailable"));
      assertThat(window(here).getJsonObject("globalCounters").getString("status"))
          .isEqualTo("failed");
      assertThat(window(here).getLong("effective")).isEqualTo(5);
    } finally {
      fleet.database().resume();
    }
    here.await(
        "the database",
        () -> state(here).getJsonObject("fleet").getString("status").equals("ok"));
  }

  @Test
  void killedNodeIsGoneAndStoppedNodeLeaves() {
    here.await("both nodes", () -> states(here).equals(List.of("ok", "ok")));
    abroad.kill();
    here.await("the killed node", () -> states(here).equals(List.of("ok", "gone")));
    NodeProcess another = fleet.launch(Fleet.ABROAD).awaitReady();
    fleet.replace(Fleet.ABROAD, abroad, another);
    here.await("the new node", () -> states(here).contains("ok") && states(here).size() == 3);
    another.terminate();
    assertThat(another.exitCode()).isZero();
    here.await("the stopped node", () -> states(here).equals(List.of("ok", "gone")));
  }

  private static List<String> states(NodeProcess node) {
    return state(node).getJsonArray("nodes").stream()
        .map(one -> ((JsonObject) one).getString("state"))
        .toList();
  }

  private static JsonObject state(NodeProcess node) {
    return new JsonObject(
        Node.send(HttpRequest.newBuilder(node.adminUri("/console/state")).build())
            .body());
  }

  private static long effective(NodeProcess node) {
    JsonArray windows = inspect(node).getJsonArray("windows");
    return windows.isEmpty() ? 0 : windows.getJsonObject(0).getLong("effective");
  }

  private static JsonObject window(NodeProcess node) {
    return inspect(node).getJsonArray("windows").getJsonObject(0);
  }

  private static JsonObject inspect(NodeProcess node) {
    JsonObject question = new JsonObject()
        .put("namespace", "calls")
        .put("identifier", NodeProcess.PERSON + "/traveller")
        .put("windowMillis", Client.WINDOW_MILLIS)
        .put("limit", 40);
    return new JsonObject(Node.send(HttpRequest.newBuilder(node.adminUri("/console/inspect"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(question.encode()))
            .build())
        .body());
  }

  private static List<String> counts(JsonObject window, String list, String label) {
    List<String> counts = new ArrayList<>();
    window.getJsonArray("cells").getJsonObject(0).getJsonArray(list).stream()
        .map(JsonObject.class::cast)
        .forEach(one -> counts.add(one.getString(label) + "=" + one.getLong("count")));
    return counts;
  }
}
