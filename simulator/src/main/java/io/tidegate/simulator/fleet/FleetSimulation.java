package io.tidegate.simulator.fleet;

import io.tidegate.simulator.fleet.FleetFigures.Effort;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Simulates one fleet: a window in which nodes start, one of warm-up, and the measured ones. */
final class FleetSimulation {

  /** Number of samples per window of figures that are averages over time. */
  private static final int SAMPLES_PER_WINDOW = 12;

  private static final int WINDOWS_BEFORE = 2;
  private static final long SAMPLE_NANOS = FleetWorld.WINDOW_NANOS / SAMPLES_PER_WINDOW;

  private final FleetSettings settings;
  private final FleetTraffic traffic;
  private final FleetWorld fleet;
  private double liveRows;
  private double heldSeries;

  FleetSimulation(FleetSettings settings) {
    this.settings = settings;
    this.traffic = new FleetTraffic(settings.size(), settings.series(), settings.seed());
    this.fleet = new FleetWorld(settings, traffic);
  }

  /** Number of simulated windows, including those that are not measured. */
  static int windows(FleetSettings settings) {
    return WINDOWS_BEFORE + settings.minutes();
  }

  /**
   * Runs the simulation.
   *
   * @param nextWindow called before each window
   */
  FleetFigures run(Runnable nextWindow) {
    for (int window = 0; window < WINDOWS_BEFORE; window++) {
      nextWindow.run();
      fleet.runUntil((window + 1) * FleetWorld.WINDOW_NANOS);
    }
    fleet.startMeasuring();
    long beganNanos = System.nanoTime();
    long beganCpuNanos = cpuNanos();
    for (int window = WINDOWS_BEFORE; window < windows(settings); window++) {
      nextWindow.run();
      runAndSample(window);
    }
    double cpuSeconds = (cpuNanos() - beganCpuNanos) / 1e9;
    double realSeconds = (System.nanoTime() - beganNanos) / 1e9;
    double seconds = settings.minutes() * FleetWorld.WINDOW_NANOS / 1e9;
    return new FleetFigures(
        settings,
        load(seconds),
        relativeError(fleet.rows()),
        peaks(series -> true),
        peaks(traffic::isShared),
        peaks(series -> traffic.isShared(series)
            && traffic.requestsPerWindow(series) > traffic.ofSeries(series).limit()),
        fleet.wrongDenials(),
        fleet.calls(calls -> calls.failures),
        new Effort(seconds, realSeconds, cpuSeconds, fleet.events()));
  }

  private void runAndSample(int window) {
    for (int sample = 1; sample <= SAMPLES_PER_WINDOW; sample++) {
      // Not at the end of a window, where all rows of a window have just expired together.
      fleet.runUntil(window * FleetWorld.WINDOW_NANOS + sample * SAMPLE_NANOS - SAMPLE_NANOS / 2);
      liveRows += fleet.liveRows();
      heldSeries += fleet.heldSeries();
    }
    fleet.runUntil((window + 1) * FleetWorld.WINDOW_NANOS);
  }

  private Load load(double seconds) {
    double samples = settings.minutes() * SAMPLES_PER_WINDOW;
    List<OriginLoad> origins = fleet.originLoads(seconds);
    long sharedRows = IntStream.range(0, traffic.seriesCount())
        .filter(traffic::isShared)
        .mapToLong(series -> fleet.rows()[series])
        .sum();
    return new Load(
        fleet.requests() / seconds,
        fleet.denials() / seconds,
        Arrays.stream(fleet.rows()).sum() / seconds,
        sharedRows / seconds,
        fleet.calls(calls -> calls.rowsPulled) / seconds,
        fleet.calls(calls -> calls.newRows) / seconds,
        fleet.calls(calls -> calls.pushes) / seconds,
        fleet.calls(calls -> calls.pulls) / seconds,
        liveRows / samples,
        origins.stream().reduce(OriginLoad.NONE, OriginLoad::plus),
        origins.stream()
            .max(Comparator.comparingDouble(OriginLoad::redisCommands))
            .orElseThrow(),
        traffic.seriesPerNode(),
        heldSeries / samples,
        fleet.calls(calls -> calls.evictions) / seconds);
  }

  private PeakDistribution peaks(IntPredicate which) {
    return PeakDistribution.of(IntStream.range(0, traffic.seriesCount())
        .filter(which)
        .mapToDouble(fleet::peak)
        .toArray());
  }

  /** The relative standard error of a sum over all series that is extrapolated from the sample. */
  private double relativeError(long[] ofSeries) {
    double mean = Arrays.stream(ofSeries).average().orElse(0);
    double squares = 0;
    for (long one : ofSeries) {
      squares += (one - mean) * (one - mean);
    }
    double unseen = 1 - 1.0 / settings.sample();
    return mean == 0 ? 0 : Math.sqrt(squares / ofSeries.length * unseen / ofSeries.length) / mean;
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
