package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A client whose messages take a millisecond each way. */
class DatabaseClientTest {

  private static final long MILLI = 1_000_000L;
  private static final long BEGIN = Node.EPOCH_MILLIS;

  private final Timeline timeline = new Timeline();
  private final DatabaseServer database = new DatabaseServer(timeline);
  private final DatabaseClient client = client(MILLI);
  private final List<String> pulled = new ArrayList<>();
  private long mark;

  private DatabaseClient client(long wayNanos) {
    NetworkLink.Quality way = NetworkLink.Quality.of(wayNanos, wayNanos);
    SimulatedRegion region = new SimulatedRegion("eu", new OriginServer(timeline, 1), way, way);
    Node node = new Node(timeline, region, "node");
    NetworkLink link = new NetworkLink(timeline, new Random(1), node, database.service(), way);
    return new DatabaseClient(database, link, timeline);
  }

  private static Component component(String identifier, long count) {
    Series series = new Series(new Scope("acme", "login", 60_000), identifier);
    return new Component("eu", WindowCell.at(series, BEGIN), count);
  }

  private void commit(String identifier, long beganMillis) {
    database.upsert(List.of(component(identifier, 1)), beganMillis * MILLI);
  }

  private List<String> pull() {
    pulled.clear();
    client
        .pull("us", mark, BEGIN, one -> pulled.add(one.cell().series().identifier()))
        .thenAccept(next -> mark = next);
    timeline.runUntil(timeline.nowNanos() + 2 * MILLI);
    return pulled;
  }

  private void goTo(long millis) {
    timeline.runUntil(millis * MILLI);
  }

  @Test
  void pushesReachTheServer() {
    client.push(List.of(component("a", 7)));
    goTo(1);
    assertThat(database.count("eu", component("a", 7).cell())).isEqualTo(7);
  }

  @Test
  void aPullReadsChangesSinceATenthOfASecondBeforeTheLastOne() {
    commit("old", 899);
    commit("recent", 900);
    commit("new", 1_000);
    assertThat(pull()).containsExactly("old", "recent", "new");
    assertThat(mark).isEqualTo(BEGIN + 1_000);
    goTo(2_000);
    commit("newer", 2_000);
    assertThat(pull()).containsExactly("recent", "new", "newer");
  }

  @Test
  void aPullReadsOtherRegionsAndItsOwnApart() {
    commit("elsewhere", 1_000);
    Component own = new Component("us", component("own", 1).cell(), 3);
    database.upsert(List.of(own), 2_000 * MILLI);
    assertThat(pull()).containsExactly("elsewhere");
    assertThat(mark).as("of all regions").isEqualTo(BEGIN + 2_000);
    List<Component> read = new ArrayList<>();
    client.pullOwn("us", BEGIN, read::add);
    goTo(10);
    assertThat(read).containsExactly(own);
  }

  @Test
  void aSlowStatementIsNotMissed() {
    commit("quick", 1_000);
    pull();
    commit("slow", 910); // began before the newest one and committed after the pull
    assertThat(pull()).containsExactly("slow", "quick");
  }

  @Test
  void statementsThatTakeLongExtendTheOverlap() {
    database.service().slowDown(300 * MILLI);
    client.push(List.of(component("own", 1)));
    goTo(400);
    database.service().heal();
    commit("long ago", 1_400);
    commit("new", 2_000);
    pull();
    mark = BEGIN + 2_000;
    goTo(2_100);
    assertThat(pull())
        .as("a tenth of a second, and twice the 300 ms less an eighth")
        .containsExactly("long ago", "new");
  }

  @Test
  void aLongWayToTheDatabaseDoesNotExtendTheOverlap() {
    DatabaseClient far = client(300 * MILLI);
    far.push(List.of(component("own", 1)));
    goTo(700);
    commit("long ago", 1_800);
    commit("new", 2_000);
    far.pull("us", BEGIN + 2_000, BEGIN, one -> pulled.add(one.cell().series().identifier()));
    goTo(1_400);
    assertThat(pulled).containsExactly("new");
  }

  @Test
  void unchangedRowsAreNotReadForever() {
    commit("only", 1_000);
    for (int i = 0; i < 11; i++) {
      assertThat(pull()).containsExactly("only");
    }
    pull();
    assertThat(pull()).isEmpty();
    goTo(3_000);
    commit("other", 3_000);
    assertThat(pull()).containsExactly("other");
  }

  @Test
  void aDatabaseThatLostCommitsIsReadFromTheBeginning() {
    goTo(1_000);
    commit("kept", 1_000);
    goTo(2_000);
    commit("lost", 2_000);
    pull();
    database.loseCommitsSince(1_500 * MILLI);
    pull();
    assertThat(mark).isEqualTo(GlobalCounters.EVERYTHING);
    assertThat(pull()).containsExactly("kept");
  }
}
