package io.tidegate.benchmarks.global;

import io.tidegate.report.Percentiles;
import io.tidegate.report.Rounds;
import java.util.List;

/** All figures of a run. */
record Results(
    Settings settings,
    Rounds<Load> loads,
    Rounds<FleetEnd> ends,
    Rounds<Overshoot> overshoots,
    Rounds<Tick> ticks,
    List<Ceiling> ceilings,
    List<DatabaseLoad> databaseLoads) {

  /** A fleet under a load like production, over one window. */
  record Load(
      Policy policy,
      int series,
      int round,
      int requestsPerWindow,
      Database.Usage usage,
      Database.Reading stored,
      ExchangeMeter.Reading exchanged,
      Driver.Reading driven) {

    double perSecond(long count) {
      return count / usage.seconds();
    }

    double rowsWrittenPerSecond() {
      return perSecond(exchanged.pushedRows());
    }

    double rowsReadPerSecond() {
      return perSecond(exchanged.pulledRows());
    }

    double shareOfNewRows() {
      return (double) exchanged.newRows() / exchanged.pulledRows();
    }

    /** CPU time of pushes and pulls of all nodes, without the database driver. */
    double exchangePercent() {
      return 100 * perSecond(exchanged.cpuNanos()) / 1e9;
    }

    double exchangeMicrosPerRow() {
      return exchanged.cpuNanos() / 1e3 / (exchanged.pushedRows() + exchanged.pulledRows());
    }
  }

  /**
   * The end of a load: the lag of all probes, and the table before any cleanup.
   *
   * @param missing samples that had not arrived in the end; they count with their age
   */
  record FleetEnd(
      Policy policy,
      int series,
      int samples,
      int missing,
      Percentiles lagMillis,
      Database.Size table) {}

  /**
   * A limit that received more requests than it allows, evenly over its regions.
   *
   * @param timesLimit admitted tokens as a multiple of the limit, in the worst window
   * @param rowsPerWindow rows that all nodes together wrote for it
   */
  record Overshoot(
      Policy policy, OvershootTrial.Offer offer, double timesLimit, double rowsPerWindow) {}

  /**
   * CPU time of one tick.
   *
   * @param changedPerMille share of the active cells that changed since the last tick
   * @param pushMillis CPU time to push them
   * @param pullMillis CPU time to merge as many that another region changed
   */
  record Tick(int cells, int changedPerMille, double pushMillis, double pullMillis) {

    double millis() {
      return pushMillis + pullMillis;
    }

    double microsPerChangedCell() {
      return 1e6 * millis() / cells / changedPerMille;
    }
  }

  /** Throughput of connections that write or read as fast as they can. */
  record Ceiling(
      DatabaseProbe.Kind kind,
      int connections,
      Database.Usage usage,
      double rowsPerSecond,
      double callsPerSecond) {}

  /** The calls of a fleet of a multiple of the reference fleet, without the fleet. */
  record DatabaseLoad(
      int times,
      Database.Usage usage,
      double rowsWrittenPerSecond,
      double rowsReadPerSecond,
      Percentiles pushMillis,
      Percentiles pullMillis) {}
}
