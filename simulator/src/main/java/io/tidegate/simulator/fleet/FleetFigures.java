package io.tidegate.simulator.fleet;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of one simulation.
 *
 * @param loads loads of the whole fleet, see {@link #extrapolated}
 * @param memory memory of a node
 * @param rowsError relative standard error of the written rows, because the series are a sample
 * @param sharedPeaks peaks of series that are used in several regions
 * @param wrongDenials denials that a single counter would not have made
 * @param failures failed calls and reported losses of counts
 * @param speed simulated seconds per second
 * @param speedByCpu simulated seconds per second of CPU time
 */
record FleetFigures(
    FleetSettings settings,
    Map<Load, Double> loads,
    NodeMemory memory,
    double rowsError,
    Peaks peaks,
    Peaks sharedPeaks,
    long wrongDenials,
    long failures,
    double speed,
    double speedByCpu) {

  /** Maximum number of rows in a push of the core. */
  private static final int MAX_ROWS_PER_PUSH = 500;

  /** The loads of a fleet: rates in virtual time, and means over time. */
  enum Load {
    REQUESTS("requests/s"),
    DENIALS("denials/s"),
    ROWS_WRITTEN("rows written/s"),
    SHARED_ROWS_WRITTEN("rows written/s of series that are used in several regions"),
    ROWS_READ("rows read/s"),
    LIVE_ROWS("live rows"),
    PUSHES("INSERTs/s"),
    PULLS("pulls of other regions/s"),
    OWN_PULLS("pulls of the own region/s"),
    COUNTS_REPLAYED("counts replayed/s"),
    COUNTS_STORED("imported and pushed counts stored/s"),
    CELLS_READ("cells read for decisions/s"),
    CELLS_CHECKED("cells read by loss checks/s"),
    HELD_SERIES("series in a node"),
    USED_SERIES("series that a node receives requests for"),
    EVICTIONS("evicted series/s");

    private final String label;

    Load(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /**
   * The distribution of peaks over several series. A peak is the largest number of tokens admitted
   * within any window length, divided by the limit.
   *
   * @param series number of series
   * @param over110 fraction of series with a peak above 1.10
   */
  record Peaks(int series, double p50, double p90, double p99, double max, double over110) {

    static Peaks of(double[] peaks) {
      double[] sorted = peaks.length == 0 ? new double[1] : peaks.clone();
      Arrays.sort(sorted);
      double over = Arrays.stream(sorted).filter(peak -> peak > 1.1).count();
      return new Peaks(
          peaks.length,
          at(0.5, sorted),
          at(0.9, sorted),
          at(0.99, sorted),
          at(1, sorted),
          over / sorted.length);
    }

    private static double at(double share, double[] sorted) {
      return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
  }

  String label() {
    return settings.label();
  }

  double load(Load load) {
    return loads.getOrDefault(load, 0.0);
  }

  /**
   * Turns the loads of a sample into those of the whole fleet. Pulls and loss checks depend on the
   * number of regions and nodes only. A node pushes in a round in which at least one of its series
   * has counts to push: it is less likely that no series of the whole fleet has, than that none of
   * a sample has.
   *
   * @param rounds rounds per second, of all nodes
   */
  static Map<Load, Double> extrapolated(Map<Load, Double> sampled, int sample, double rounds) {
    Map<Load, Double> whole = new EnumMap<>(sampled);
    whole.replaceAll((load, figure) -> switch (load) {
      case PULLS, OWN_PULLS, CELLS_CHECKED -> figure;
      case PUSHES -> rounds * (1 - StrictMath.pow(Math.max(0, 1 - figure / rounds), sample));
      default -> sample * figure;
    });
    double fullPushes = whole.getOrDefault(Load.ROWS_WRITTEN, 0.0) / MAX_ROWS_PER_PUSH;
    whole.merge(Load.PUSHES, fullPushes, Math::max);
    return whole;
  }

  /**
   * In Redis, a replayed or stored count is HMGET, HSET and PEXPIRE in a script; a read is HMGET.
   */
  double redisCommands() {
    return 3 * (load(Load.COUNTS_REPLAYED) + load(Load.COUNTS_STORED))
        + load(Load.CELLS_READ)
        + load(Load.CELLS_CHECKED);
  }

  /** A pull is two SELECTs, the mark and the rows; a pull of the own region has no mark. */
  double selects() {
    return 2 * load(Load.PULLS) + load(Load.OWN_PULLS);
  }

  /** Most heap of a node for its series: as if other regions used each of them. */
  double bytesPerNode() {
    return load(Load.HELD_SERIES) * memory.shared();
  }
}
