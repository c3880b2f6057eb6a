package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.RegionalCount;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeModelTest {

  private static final long WINDOW = 5_000;
  private static final Series SERIES = new Series(new Scope("acme", "login", WINDOW), "user_42");

  private final World world = new World(1);
  private final SimulatedRegion region =
      world.region("eu", NetworkLink.Quality.of(0, 0), NetworkLink.Quality.of(0, 0));
  private final Node node = world.start(region, "node", any -> new World.NodeCustomizer() {});
  private final NodeModel model = new NodeModel(node);
  private final GroundTruth truth = new GroundTruth();

  @BeforeEach
  void startAMinuteAfterTheEpoch() {
    advance(60_000);
  }

  private void advance(long millis) {
    world.timeline().runUntil(world.timeline().nowNanos() + millis * Scenario.MILLI);
  }

  private void setBack(long millis) {
    node.stepClock(-millis);
    model.clockSetBack(node.millis() + millis);
  }

  private WindowCell cell() {
    return WindowCell.at(SERIES, node.millis());
  }

  private void decide() {
    model.deciding(SERIES, node.millis(), truth);
    model.decided(cell());
  }

  private boolean receive(WindowCell cell, long peers) {
    return model.received(cell, new RegionalCount(peers, 0, 0, 0, 0));
  }

  private long effective(WindowCell cell) {
    return model.effective(cell, cell.startMillis() + WINDOW); // without the previous cell
  }

  @Test
  void receivedCountsAreExpectedInMemory() {
    decide();
    assertThat(receive(cell(), 7)).isTrue();
    assertThat(effective(cell())).isEqualTo(7);
  }

  @Test
  void aSeriesThatWasMovedBackKeepsNoCountsOfTheCellThatItHasLeft() {
    WindowCell left = cell();
    decide();
    setBack(12_000);
    decide();
    assertThat(receive(left, 7)).as("the answer to a replay").isFalse();
    advance(12_000);
    assertThat(cell()).isEqualTo(left);
    decide();
    assertThat(effective(left)).isZero();
  }

  @Test
  void aSeriesThatWasMovedBackKeepsCountsOfACellAgainOnceItComesThere() {
    WindowCell left = cell();
    decide();
    setBack(12_000);
    decide();
    advance(12_000);
    assertThat(receive(left, 7)).isTrue();
    assertThat(effective(left)).isEqualTo(7);
  }

  @Test
  void aSeriesThatIsAheadByLessThanAWindowKeepsCountsOfItsCell() {
    WindowCell ahead = cell();
    decide();
    setBack(3_000);
    model.deciding(SERIES, node.millis(), truth);
    model.decided(ahead);
    assertThat(receive(ahead, 7)).isTrue();
    assertThat(effective(ahead)).isEqualTo(7);
  }

  @Test
  void countsOfTheFutureWeighFromTheDecisionThatMovesTheSeries() {
    truth.admit(cell(), node, 100, world.timeline().nowNanos());
    decide();
    setBack(68_000);
    advance(6_000);
    decide();
    assertThat(model.carriedBack(cell())).isEqualTo(100);
    advance(WINDOW);
    assertThat(model.carriedBack(cell())).as("as the previous cell").isEqualTo(100);
    advance(WINDOW);
    assertThat(model.carriedBack(cell())).isZero();
  }

  @Test
  void aPeekFromBeforeTheClockWasSetBackDoesNotMoveItsSeries() {
    WindowCell before = cell();
    long sentMillis = node.millis();
    truth.admit(before, node, 100, world.timeline().nowNanos());
    model.deciding(SERIES, sentMillis, truth);
    setBack(68_000);
    model.deciding(SERIES, sentMillis, truth); // answered after it has waited for a read
    model.decided(before);
    assertThat(model.carriedBack(cell())).isZero();
    advance(6_000);
    decide();
    assertThat(model.carriedBack(cell())).isEqualTo(100);
    advance(WINDOW);
    assertThat(model.carriedBack(cell())).as("as the previous cell").isEqualTo(100);
  }
}
