package io.tidegate.simulator.fleet;

/**
 * What one simulation has found, of the series that were simulated; per second of virtual time.
 *
 * @param plan what was simulated
 * @param requests decisions
 * @param rowsWritten rows that pushes wrote
 * @param rowsError by how much that may be off because these series were drawn and not others: the
 *     standard error, as a part of it
 * @param rowsOfShared how many of them were of series that are used in several regions
 * @param rowsRead rows that pulls read
 * @param news how many of these a node did not know
 * @param pushes calls to write
 * @param pulls calls to read, of which a node makes one in each of its rounds
 * @param liveRows rows that are not over, on average
 * @param origins what the origins of all regions had to do together
 * @param busiest what the busiest of them had to do
 * @param usedSeries how many series a node is asked for
 * @param heldSeries how many it holds, on average
 * @param evictions how many live series had to make room for others, on all nodes
 * @param all how much of limits was admitted, of all series
 * @param shared the same of series that are used in several regions
 * @param tooMuch the same of those that ask for more than their limit, in several regions
 * @param denials decisions that were denials
 * @param wrongDenials how many there were, in all, that one counter for all would have admitted
 * @param failures how many calls to origins and database failed, and how many nodes found that
 *     something was lost, in all
 * @param effort what it took to simulate
 */
record FleetFigures(
    FleetSettings plan,
    double requests,
    double rowsWritten,
    double rowsError,
    double rowsOfShared,
    double rowsRead,
    double news,
    double pushes,
    double pulls,
    double liveRows,
    OriginLoad origins,
    OriginLoad busiest,
    double usedSeries,
    double heldSeries,
    double evictions,
    PeakDistribution all,
    PeakDistribution shared,
    PeakDistribution tooMuch,
    double denials,
    long wrongDenials,
    long failures,
    Effort effort) {

  /**
   * What origins have to do.
   *
   * @param writes counts that they are told
   * @param reads cells that are read for decisions
   * @param patrolReads cells that are read to see whether they are still known
   */
  record OriginLoad(double writes, double reads, double patrolReads) {

    OriginLoad plus(OriginLoad other) {
      return new OriginLoad(
          writes + other.writes, reads + other.reads, patrolReads + other.patrolReads);
    }

    /** A count that is sent is an HMGET, an HSET and a PEXPIRE in a script; a read is an HMGET. */
    double redisCommands() {
      return 3 * writes + reads + patrolReads;
    }
  }

  /**
   * What it took to simulate the windows that were measured.
   *
   * @param virtualSeconds how long they were
   * @param realSeconds how long that took
   * @param cpuSeconds how much of a processor
   * @param events how much happened
   */
  record Effort(double virtualSeconds, double realSeconds, double cpuSeconds, long events) {

    double speed() {
      return virtualSeconds / realSeconds;
    }

    double speedByCpu() {
      return virtualSeconds / cpuSeconds;
    }
  }

  /** What all series of the fleet would have made of it. */
  FleetFigures whole() {
    int times = plan.sample();
    return new FleetFigures(
        plan,
        times * requests,
        times * rowsWritten,
        rowsError,
        times * rowsOfShared,
        times * rowsRead,
        times * news,
        wholePushes(),
        pulls,
        times * liveRows,
        whole(origins),
        whole(busiest),
        times * usedSeries,
        times * heldSeries,
        times * evictions,
        all,
        shared,
        tooMuch,
        times * denials,
        wrongDenials,
        failures,
        effort);
  }

  /** Patrols read so much and no more, however many series there are. */
  private OriginLoad whole(OriginLoad load) {
    return new OriginLoad(
        plan.sample() * load.writes, plan.sample() * load.reads, load.patrolReads);
  }

  /**
   * A node pushes in a round if one of its series has something to push. That none of a sample has,
   * happens more often than that none of all has; and so many rows are a call at most.
   */
  private double wholePushes() {
    double nothing = Math.max(0, 1 - pushes / pulls);
    double pushing = 1 - StrictMath.pow(nothing, plan.sample());
    return Math.max(pulls * pushing, plan.sample() * rowsWritten / MOST_ROWS_PER_PUSH);
  }

  /** As many as core puts into a call. */
  private static final int MOST_ROWS_PER_PUSH = 500;
}
