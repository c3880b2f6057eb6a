package io.tidegate.benchmarks.global;

import io.tidegate.report.Percentiles;
import java.util.List;

/** All figures of a run. */
record Results(
    Settings settings,
    List<Load> loads,
    List<FleetEnd> ends,
    List<Overshoot> overshoots,
    List<Tick> ticks,
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
      Traffic.Sent sent) {

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

  /** The end of a load. Samples that are missing then count with their age. */
  record FleetEnd(
      Policy policy,
      int series,
      int samples,
      int missing,
      Percentiles lagMillis,
      Database.Size table) {}

  /** Admitted tokens as a multiple of a limit in its worst window, and rows of all nodes for it. */
  record Overshoot(
      Policy policy, OvershootTrial.Offer offer, double timesLimit, double rowsPerWindow) {}

  /** CPU time to push the changed cells of a node, and to merge as many of another region. */
  record Tick(int cells, int changedPerMille, double pushMillis, double pullMillis) {

    double millis() {
      return pushMillis + pullMillis;
    }

    double microsPerChangedCell() {
      return 1e6 * millis() / cells / changedPerMille;
    }
  }

  /** Rows that connections wrote and read during a measurement. */
  record Rows(Database.Usage usage, double writtenPerSecond, double readPerSecond) {}

  /** Connections that write or read as fast as they can. */
  record Ceiling(DatabaseProbe.Kind kind, int connections, Rows rows, double callsPerSecond) {

    double rowsPerSecond() {
      return kind == DatabaseProbe.Kind.PULL ? rows.readPerSecond : rows.writtenPerSecond;
    }
  }

  /** The calls of a fleet of a multiple of the reference fleet, without the fleet. */
  record DatabaseLoad(int times, Rows rows, Percentiles pushMillis, Percentiles pullMillis) {}
}
