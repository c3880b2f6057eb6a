package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;

/** Checks that the readers of all other regions import the counts that a region pushes in time. */
record ImportCheck(RunContext run, Cluster cluster) {

  private static final long CHECK_NANOS = Scenario.SECOND;

  /** Starts to check all origins every second. */
  void start() {
    run.world.timeline().after(CHECK_NANOS, () -> {
      for (int i = 0; i < cluster.regions().size(); i++) {
        check(i);
      }
      start();
    });
  }

  /**
   * Checks the counts that were pushed so early that nothing can have kept them from a region. Its
   * reader skips cells that have expired by its clock.
   */
  private void check(int number) {
    long troubleNanos = run.excuses.importTroubleSince(number, run.now());
    long pushedBefore = troubleNanos - TimeBounds.importLag(run.scenario);
    Node any = cluster.node(number, 0);
    long latestMillis = run.excuses.latestMillis(any);
    for (WindowCell cell : run.truth.cells()) {
      if (cell.expiresAtMillis() > latestMillis
          && !run.excuses.areImportsLost(any, cell, run.now())) {
        check(cluster.regions().get(number), cell, pushedBefore);
      }
    }
  }

  /**
   * The database may have lost a count since. A clock that is ahead may count in a cell that the
   * origin expires before it begins.
   */
  private void check(SimulatedRegion region, WindowCell cell, long pushedBefore) {
    long keptSince = run.now() - TimeBounds.cellLifetime(cell.series().scope());
    for (SimulatedRegion other : cluster.regions()) {
      long confirmed = run.truth.pushedBetween(other.name(), cell, keptSince, pushedBefore);
      long pushed = Math.min(confirmed, run.world.database().count(other.name(), cell));
      if (pushed > 0 && !other.equals(region)) {
        long imported = region.origin().imports(cell).getOrDefault(other.name(), 0L);
        String details = " has imported " + imported + " of " + pushed + " tokens of " + other;
        boolean inTime = imported >= pushed;
        run.check(Guarantee.IMPORTS_IN_TIME, inTime, region, details, " in ", cell);
      }
    }
  }
}
