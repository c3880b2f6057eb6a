package io.tidegate.simulator.fleet;

/**
 * The figures of one simulation.
 *
 * @param settings settings of the simulation
 * @param sampled load of the simulated series
 * @param rowsError relative standard error of the written rows, because the series are a sample
 * @param peaks peaks of all series
 * @param sharedPeaks peaks of series that are used in several regions
 * @param overloadedPeaks peaks of those of them that request more than their limit
 * @param wrongDenials denials that a single counter would not have made
 * @param failures failed calls and reported losses of counts
 * @param effort cost of the simulation
 */
record FleetFigures(
    FleetSettings settings,
    Load sampled,
    double rowsError,
    PeakDistribution peaks,
    PeakDistribution sharedPeaks,
    PeakDistribution overloadedPeaks,
    long wrongDenials,
    long failures,
    Effort effort) {

  /**
   * The load of a fleet, per second of virtual time where not stated otherwise.
   *
   * @param requests decisions
   * @param denials denials among them
   * @param rowsWritten rows written by pushes
   * @param sharedRowsWritten those of series that are used in several regions
   * @param rowsRead rows read by pulls
   * @param newRows those with counts that the node did not have
   * @param pushes calls to push
   * @param pulls calls to pull
   * @param liveRows mean number of rows that have not expired
   * @param origins load of the origins of all regions
   * @param busiest load of the busiest origin
   * @param usedSeries mean number of series that a node receives requests for
   * @param heldSeries mean number of series in the memory of a node
   * @param evictions evicted live series of all nodes
   */
  record Load(
      double requests,
      double denials,
      double rowsWritten,
      double sharedRowsWritten,
      double rowsRead,
      double newRows,
      double pushes,
      double pulls,
      double liveRows,
      OriginLoad origins,
      OriginLoad busiest,
      double usedSeries,
      double heldSeries,
      double evictions) {

    /** Maximum number of rows in a push of the core. */
    private static final int MAX_ROWS_PER_PUSH = 500;

    /** Extrapolates to this many times the series. Pulls depend on the number of nodes only. */
    Load times(int factor) {
      return new Load(
          factor * requests,
          factor * denials,
          factor * rowsWritten,
          factor * sharedRowsWritten,
          factor * rowsRead,
          factor * newRows,
          pushes(factor),
          pulls,
          factor * liveRows,
          origins.times(factor),
          busiest.times(factor),
          factor * usedSeries,
          factor * heldSeries,
          factor * evictions);
    }

    /**
     * A node pushes in a round in which at least one of its series has counts to push. It is less
     * likely that no series of the whole fleet has, than that none of a sample has.
     */
    private double pushes(int factor) {
      double idle = Math.max(0, 1 - pushes / pulls);
      double pushing = 1 - StrictMath.pow(idle, factor);
      return Math.max(pulls * pushing, factor * rowsWritten / MAX_ROWS_PER_PUSH);
    }
  }

  /**
   * The load of origins, per second.
   *
   * @param writes replayed counts
   * @param reads cells read for decisions
   * @param lossChecks cells read by loss checks
   */
  record OriginLoad(double writes, double reads, double lossChecks) {

    static final OriginLoad NONE = new OriginLoad(0, 0, 0);

    OriginLoad plus(OriginLoad other) {
      return new OriginLoad(
          writes + other.writes, reads + other.reads, lossChecks + other.lossChecks);
    }

    /** Extrapolates to more series. Loss checks read at a fixed rate. */
    OriginLoad times(int factor) {
      return new OriginLoad(factor * writes, factor * reads, lossChecks);
    }

    /** A replayed count is HMGET, HSET and PEXPIRE in a script; a read is HMGET. */
    double redisCommands() {
      return 3 * writes + reads + lossChecks;
    }
  }

  /**
   * The cost of simulating the measured windows.
   *
   * @param virtualSeconds length in virtual time
   * @param realSeconds length in real time
   * @param cpuSeconds CPU time
   * @param events number of events
   */
  record Effort(double virtualSeconds, double realSeconds, double cpuSeconds, long events) {

    double speed() {
      return virtualSeconds / realSeconds;
    }

    double speedByCpu() {
      return virtualSeconds / cpuSeconds;
    }
  }

  /** The load of the whole fleet. */
  Load whole() {
    return sampled.times(settings.sample());
  }

  String label() {
    return settings.label();
  }
}
