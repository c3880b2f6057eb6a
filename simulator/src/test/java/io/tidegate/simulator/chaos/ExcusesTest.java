package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExcusesTest {

  private static final WindowCell CELL = new WindowCell(Scenarios.SERIES, 1);
  private static final long LONG_AFTER_WIPE = 150 * Scenario.SECOND;
  private static final long LONG_AFTER_ALL = 600 * Scenario.SECOND;

  private final World world = new World(1);
  private final Node node = world.start(
      world.region("region_0", NetworkLink.Quality.of(0, 0), NetworkLink.Quality.of(0, 0)),
      "node",
      any -> new World.NodeCustomizer() {});

  /** The excuses of a region whose origin is wiped after 20 seconds, during another fault. */
  private Excuses afterWipe(Fault other) {
    Fault wipe = Scenarios.fault(FaultKind.ORIGIN_WIPED, 0, 20, 20);
    Excuses excuses = new Excuses(Scenarios.with(2, other, wipe));
    excuses.nodeStarted(node, 0, 0);
    excuses.cellsLost(wipe, cell -> true);
    return excuses;
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "DATABASE_REFUSES",
        "DATABASE_SILENT",
        "DATABASE_SLOW",
        "DATABASE_BREAKS_PULLS",
        "DATABASE_LINK_BAD",
        "DATABASE_LINK_CUT",
        "DATABASE_CLIENT_THROWS",
        "REGION_CUT_OFF"
      })
  void importsOfAWipedOriginAreLostUntilTheRegionCanPull(FaultKind database) {
    Excuses excuses = afterWipe(Scenarios.fault(database, 0, 10, 160));
    assertThat(excuses.areImportsLost(node, CELL, LONG_AFTER_WIPE)).isTrue();
    assertThat(excuses.areImportsLost(node, CELL, LONG_AFTER_ALL)).isFalse();
    assertThat(excuses.isLost(node, CELL, LONG_AFTER_WIPE))
        .as("the counts of the region's own nodes")
        .isFalse();
  }

  @Test
  void aRegionCanPullWhileAnotherOneIsCutOff() {
    Excuses excuses = afterWipe(Scenarios.fault(FaultKind.REGION_CUT_OFF, 1, 10, 160));
    assertThat(excuses.areImportsLost(node, CELL, 21 * Scenario.SECOND)).isTrue();
    assertThat(excuses.areImportsLost(node, CELL, LONG_AFTER_WIPE)).isFalse();
  }

  @Test
  void aFailingPushDoesNotKeepImportsFromAnOrigin() {
    Excuses excuses = afterWipe(Scenarios.fault(FaultKind.DATABASE_DEADLOCKS, 0, 10, 160));
    assertThat(excuses.areImportsLost(node, CELL, LONG_AFTER_WIPE)).isFalse();
  }

  @Test
  void aDatabaseThatFailsAfterTheImportsHaveReturnedDoesNotLoseThem() {
    Excuses excuses = afterWipe(Scenarios.fault(FaultKind.DATABASE_REFUSES, 0, 140, 160));
    assertThat(excuses.areImportsLost(node, CELL, LONG_AFTER_WIPE)).isFalse();
  }
}
