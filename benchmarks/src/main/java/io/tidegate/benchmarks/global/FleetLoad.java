package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.report.Percentiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Measures a fleet under a load like production, after a window of warm-up. */
record FleetLoad(Database database, int windowMillis) {

  /** Adds a load for each window. */
  FleetEnd measure(Policy policy, int series, int windows, List<Load> loads) {
    Traffic traffic = new Traffic(series, windowMillis);
    Duration window = Duration.ofMillis(windowMillis);
    database.empty();
    try (Fleet fleet = new Fleet(database.server().jdbcUrl(), policy.policy, window, pushed -> {});
        Traffic.Driver driver = traffic.new Driver(fleet)) {
      Threads.sleep(windowMillis);
      LagProbes probes = new LagProbes(fleet);
      for (int round = 1; round <= windows; round++) {
        fleet.meter.take();
        driver.take();
        Database.Reading before = database.read();
        Database.Usage usage = database.during(() -> Threads.sleep(windowMillis));
        loads.add(new Load(
            policy,
            series,
            round,
            traffic.requestsPerWindow(),
            usage,
            database.read().since(before),
            fleet.meter.take(),
            driver.take()));
      }
      Database.Size table = database.size();
      int missing = probes.finish(windowMillis);
      List<Double> millis = probes.millis;
      return new FleetEnd(policy, series, millis.size(), missing, Percentiles.of(millis), table);
    }
  }

  /**
   * Measures the time from a request that a node admits until a node of another region counts it,
   * with a new series and two random nodes for each sample.
   */
  private static final class LagProbes {

    private static final int PER_SECOND = 5;

    /** Exhausted by one request, which every policy pushes then. */
    private static final int LIMIT = 1;

    /** Resolution: a two-hundredth of the typical lag of two seconds. */
    private static final int PEEK_MILLIS = 10;

    private record Probe(String identifier, Fleet.Node reader, long beganNanos) {

      boolean hasArrived() {
        return reader.probes.tryAcquire(identifier, LIMIT, 0).effectiveCount() >= LIMIT;
      }

      double ageMillis() {
        return (System.nanoTime() - beganNanos) / 1e6;
      }
    }

    private final Fleet fleet;
    private final SplittableRandom random = new SplittableRandom(42);
    private final Thread thread = Threads.daemon("probes", this::run);
    private final List<Probe> inFlight = new ArrayList<>();
    private final List<Double> millis = new ArrayList<>();
    private volatile boolean starting = true;
    private volatile long deadlineNanos;

    LagProbes(Fleet fleet) {
      this.fleet = fleet;
      thread.start();
    }

    private void run() {
      long nextNanos = System.nanoTime();
      int number = 0;
      while (starting || (!inFlight.isEmpty() && System.nanoTime() - deadlineNanos < 0)) {
        if (starting && System.nanoTime() - nextNanos >= 0) {
          inFlight.add(begin("probe-" + number++));
          // At random, so that samples do not align with the intervals of the nodes.
          nextNanos += (long) (random.nextDouble(2) * 1e9 / PER_SECOND);
        }
        List<Probe> arrived = inFlight.stream().filter(Probe::hasArrived).toList();
        arrived.forEach(probe -> millis.add(probe.ageMillis()));
        inFlight.removeAll(arrived);
        Threads.sleep(PEEK_MILLIS);
      }
    }

    private Probe begin(String identifier) {
      int writer = random.nextInt(Fleet.NODES);
      int reader = random.nextInt(Fleet.NODES);
      while (Fleet.regionOf(reader) == Fleet.regionOf(writer)) {
        reader = random.nextInt(Fleet.NODES);
      }
      if (!fleet.node(writer).probes.take(identifier, LIMIT, 1)) {
        throw new IllegalStateException("not a new series: " + identifier);
      }
      return new Probe(identifier, fleet.node(reader), System.nanoTime());
    }

    /** Waits for samples in flight, and returns how many are missing; they count with their age. */
    int finish(int timeoutMillis) {
      deadlineNanos = System.nanoTime() + timeoutMillis * 1_000_000L;
      starting = false;
      Threads.join(List.of(thread));
      inFlight.forEach(probe -> millis.add(probe.ageMillis()));
      return inFlight.size();
    }
  }
}
