package io.tidegate.simulator.fleet;

import io.tidegate.simulator.fleet.FleetFigures.Effort;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import io.tidegate.simulator.fleet.FleetWorld.RegionReading;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Runs one fleet: a window in which its nodes start, one of warm-up, and those to be measured. */
final class FleetSimulation {

  /** How often in a window it is looked at what is there at a moment. */
  private static final int LOOKS_PER_WINDOW = 12;

  private static final int WINDOWS_BEFORE = 2;
  private static final long LOOK_NANOS = FleetWorld.WINDOW_NANOS / LOOKS_PER_WINDOW;

  private final FleetSettings plan;
  private final FleetTraffic traffic;
  private final FleetWorld fleet;
  private double liveRows;
  private double heldSeries;

  FleetSimulation(FleetSettings plan) {
    this.plan = plan;
    this.traffic = new FleetTraffic(plan.shape(), plan.series(), plan.seed());
    this.fleet = new FleetWorld(plan, traffic);
  }

  /** How many windows there are to run, with those that are not measured. */
  static int windows(FleetSettings plan) {
    return WINDOWS_BEFORE + plan.minutes();
  }

  /**
   * Runs it.
   *
   * @param nextWindow is called before each window
   */
  FleetFigures run(Runnable nextWindow) {
    for (int window = 0; window < WINDOWS_BEFORE; window++) {
      nextWindow.run();
      fleet.runUntil((window + 1) * FleetWorld.WINDOW_NANOS);
    }
    fleet.ledger().measure();
    FleetWorld.Reading before = fleet.read();
    long beganNanos = System.nanoTime();
    long beganCpuNanos = cpuNanos();
    for (int window = WINDOWS_BEFORE; window < windows(plan); window++) {
      nextWindow.run();
      for (int look = 1; look <= LOOKS_PER_WINDOW; look++) {
        // not at its end: then the rows of a whole window have just ended together
        fleet.runUntil(window * FleetWorld.WINDOW_NANOS + look * LOOK_NANOS - LOOK_NANOS / 2);
        liveRows += fleet.liveRows();
        heldSeries += fleet.heldSeries();
      }
      fleet.runUntil((window + 1) * FleetWorld.WINDOW_NANOS);
    }
    double cpuSeconds = (cpuNanos() - beganCpuNanos) / 1e9;
    double realSeconds = (System.nanoTime() - beganNanos) / 1e9;
    return figures(fleet.read().since(before), realSeconds, cpuSeconds);
  }

  private FleetFigures figures(FleetWorld.Reading reading, double realSeconds, double cpuSeconds) {
    double seconds = plan.minutes() * FleetWorld.WINDOW_NANOS / 1e9;
    double looks = plan.minutes() * LOOKS_PER_WINDOW;
    Ledger ledger = fleet.ledger();
    CallCounts.Reading calls = reading.regions().stream()
        .map(RegionReading::calls)
        .reduce(CallCounts.Reading.NOTHING, CallCounts.Reading::plus);
    return new FleetFigures(
        plan,
        ledger.decisions() / seconds,
        Arrays.stream(reading.rows()).sum() / seconds,
        relativeError(reading.rows()),
        IntStream.range(0, reading.rows().length)
                .filter(traffic::isShared)
                .mapToLong(series -> reading.rows()[series])
                .sum()
            / seconds,
        calls.rowsPulled() / seconds,
        calls.news() / seconds,
        calls.pushes() / seconds,
        calls.pulls() / seconds,
        liveRows / looks,
        reading.regions().stream()
            .map(region -> load(region, seconds))
            .reduce(new OriginLoad(0, 0, 0), OriginLoad::plus),
        reading.regions().stream()
            .map(region -> load(region, seconds))
            .max(Comparator.comparingDouble(OriginLoad::redisCommands))
            .orElseThrow(),
        traffic.seriesPerNode(),
        heldSeries / looks,
        calls.evictions() / seconds,
        admission(series -> true),
        admission(traffic::isShared),
        admission(series -> traffic.isShared(series)
            && traffic.askedPerWindow(series) > traffic.ofSeries(series).limit()),
        ledger.denials() / seconds,
        ledger.wrongDenials(),
        calls.failures(),
        new Effort(seconds, realSeconds, cpuSeconds, reading.events()));
  }

  /** Reads for decisions read both cells of a series; those of patrols, what was confirmed. */
  private static OriginLoad load(RegionReading region, double seconds) {
    long forDecisions = 2 * region.calls().refreshes();
    return new OriginLoad(
        region.writes() / seconds,
        forDecisions / seconds,
        Math.max(0, region.reads() - forDecisions) / seconds);
  }

  private PeakDistribution admission(IntPredicate which) {
    return PeakDistribution.of(IntStream.range(0, traffic.seriesCount())
        .filter(which)
        .mapToDouble(fleet.ledger()::worst)
        .toArray());
  }

  /** The standard error of a sum over all series that is made from these, as a part of it. */
  private double relativeError(long[] ofSeries) {
    double mean = Arrays.stream(ofSeries).average().orElse(0);
    double squares = 0;
    for (long one : ofSeries) {
      squares += (one - mean) * (one - mean);
    }
    double unseen = 1 - 1.0 / plan.sample();
    return mean == 0 ? 0 : Math.sqrt(squares / ofSeries.length * unseen / ofSeries.length) / mean;
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
