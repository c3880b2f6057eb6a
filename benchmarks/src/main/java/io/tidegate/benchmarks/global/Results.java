package io.tidegate.benchmarks;

import io.tidegate.report.Percentiles;
import io.tidegate.report.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** All that a run has measured. */
record GlobalFigures(
    List<Load> loads,
    List<Lag> lags,
    List<Spending> spendings,
    List<Tick> ticks,
    List<Ceiling> ceilings,
    List<DatabaseLoad> databaseLoads) {

  /**
   * A fleet at the pace of production, over one window.
   *
   * @param series how many are active
   * @param round which of the windows
   * @param requestsPerWindow how many there should have been
   * @param size what the table was at the end of it
   */
  record Load(
      GlobalPolicy policy,
      int series,
      int round,
      int requestsPerWindow,
      GlobalUse use,
      MariaDbMeter.Size size) {}

  /**
   * How long it took until a node of another region knew.
   *
   * @param unknown how many did not know in the end, and count with the time that they had
   */
  record Lag(GlobalPolicy policy, int series, int samples, int unknown, Percentiles millis) {}

  /**
   * A limit that was offered more than it allows, evenly over all regions.
   *
   * @param timesLimit how many times the limit was accepted, in the worst window up to any moment
   * @param rowsPerWindow how many rows all nodes together wrote for it
   */
  record Spending(
      GlobalPolicy policy, GlobalSpending.Offer offer, double timesLimit, double rowsPerWindow) {}

  /**
   * What one tick takes outside of the driver.
   *
   * @param changedPerMille share of the active cells that has changed since the last
   * @param pushMillis CPU of pushing them
   * @param pullMillis CPU of merging as many that others have changed
   */
  record Tick(int cells, int changedPerMille, double pushMillis, double pullMillis) {

    double millis() {
      return pushMillis + pullMillis;
    }
  }

  /** What connections that write or read as fast as they can make of the database. */
  record Ceiling(
      GlobalCeiling.Kind kind,
      int connections,
      double rowsPerSecond,
      double callsPerSecond,
      double databasePercent,
      double processPercent) {

    double rowsPerDatabaseSecond() {
      return 100 * rowsPerSecond / databasePercent;
    }
  }

  /** What the calls of a fleet ask of the database, that many times the RFC's shape. */
  record DatabaseLoad(
      int times,
      double rowsWrittenPerSecond,
      double rowsReadPerSecond,
      double databasePercent,
      double processPercent,
      Percentiles pushMillis,
      Percentiles pullMillis) {

    /** Whether all that was due was written, but for a tenth. */
    boolean isCarried() {
      return rowsWrittenPerSecond >= 0.9 * times * GlobalDatabaseLoad.ROWS_PER_SECOND;
    }
  }

  Spread load(GlobalPolicy policy, int series, ToDoubleFunction<GlobalUse> figure) {
    return Spread.of(loads.stream()
        .filter(load -> load.policy == policy && load.series == series)
        .mapToDouble(load -> figure.applyAsDouble(load.use))
        .toArray());
  }

  /** The policies that were measured with so many series. */
  List<GlobalPolicy> policies(int series) {
    return loads.stream()
        .filter(load -> load.series == series)
        .map(Load::policy)
        .distinct()
        .sorted()
        .toList();
  }

  /** After the last window, when nothing had been cleaned up. */
  Load last(GlobalPolicy policy, int series) {
    return loads.stream()
        .filter(load -> load.policy == policy && load.series == series)
        .max(Comparator.comparing(Load::round))
        .orElseThrow(() -> new IllegalStateException("not measured: " + policy + ", " + series));
  }

  Lag lag(GlobalPolicy policy, int series) {
    return lags.stream()
        .filter(lag -> lag.policy == policy && lag.series == series)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("not measured: " + policy + ", " + series));
  }

  Optional<Spending> spending(GlobalPolicy policy, GlobalSpending.Offer offer) {
    return spendings.stream()
        .filter(spending -> spending.policy == policy && spending.offer == offer)
        .findFirst();
  }

  Spread tick(int changedPerMille, ToDoubleFunction<Tick> figure) {
    return Spread.of(ticks.stream()
        .filter(tick -> tick.changedPerMille == changedPerMille)
        .mapToDouble(figure)
        .toArray());
  }

  /** The most rows a second of a kind, with however many connections. */
  Ceiling highest(GlobalCeiling.Kind kind) {
    return ceilings.stream()
        .filter(ceiling -> ceiling.kind == kind)
        .max(Comparator.comparing(Ceiling::rowsPerSecond))
        .orElseThrow(() -> new IllegalStateException("not measured: " + kind));
  }
}
