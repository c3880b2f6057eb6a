package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.report.Percentiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures the time from a request that a node admits until a node of another region counts it,
 * with a new series and two random nodes for each sample.
 */
final class LagProbes {

  private static final int PER_SECOND = 5;

  /** Exhausted by one request, which every policy pushes then. */
  private static final int LIMIT = 1;

  /** Resolution: a two-hundredth of the typical lag of two seconds. */
  private static final int PEEK_MILLIS = 10;

  private record Probe(String identifier, Fleet.Node reader, long beganNanos) {

    double ageMillis() {
      return (System.nanoTime() - beganNanos) / 1e6;
    }
  }

  private final Fleet fleet;
  private final SplittableRandom random = new SplittableRandom(42);
  private final Thread thread = Threads.daemon("probes", this::run);
  private final Deque<Probe> inFlight = new ArrayDeque<>();
  private final List<Double> millis = new ArrayList<>();
  private volatile boolean starting = true;
  private volatile boolean stopped;
  private volatile int waiting;

  LagProbes(Fleet fleet) {
    this.fleet = fleet;
    thread.start();
  }

  private void run() {
    long nextNanos = System.nanoTime();
    for (int number = 0; !stopped; ) {
      if (starting && System.nanoTime() - nextNanos >= 0) {
        inFlight.add(begin("probe-" + number++));
        // At random, so that samples do not align with the intervals of the nodes.
        nextNanos += (long) (random.nextDouble(2) * 1e9 / PER_SECOND);
      }
      peek();
      Pause.millis(PEEK_MILLIS);
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

  private void peek() {
    for (Iterator<Probe> probes = inFlight.iterator(); probes.hasNext(); ) {
      Probe probe = probes.next();
      if (probe.reader.probes.tryAcquire(probe.identifier, LIMIT, 0).effectiveCount() >= LIMIT) {
        millis.add(probe.ageMillis());
        probes.remove();
      }
    }
    waiting = inFlight.size();
  }

  /** Starts no more samples, and waits for those in flight up to a timeout. */
  void finish(int timeoutMillis) {
    starting = false;
    long deadlineNanos = System.nanoTime() + timeoutMillis * 1_000_000L;
    while (waiting > 0 && System.nanoTime() - deadlineNanos < 0) {
      Pause.millis(PEEK_MILLIS);
    }
    stopped = true;
    Threads.join(List.of(thread));
  }

  /** The end of a load; samples that have not arrived count with their age. */
  FleetEnd end(Policy policy, int series, Database.Size table) {
    int missing = inFlight.size();
    inFlight.forEach(probe -> millis.add(probe.ageMillis()));
    return new FleetEnd(policy, series, millis.size(), missing, Percentiles.of(millis), table);
  }
}
