package io.tidegate.benchmarks;

import io.tidegate.report.Percentiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Takes the time from a request that a node of one region accepts until a node of another knows of
 * it, again and again, each time with a new series and two nodes at random.
 */
final class GlobalProbes implements AutoCloseable {

  /** Two seconds of lag, and a hundredth of it. */
  private static final int LOOK_MILLIS = 10;

  /** One probe under way. */
  private record Probe(String identifier, GlobalNode reader, long beganNanos) {

    double ageMillis() {
      return (System.nanoTime() - beganNanos) / 1e6;
    }
  }

  private final GlobalFleet fleet;
  private final int perSecond;
  private final SplittableRandom random = new SplittableRandom(42);
  private final Thread thread = Threads.daemon("probes", this::run);
  private final Deque<Probe> underWay = new ArrayDeque<>();
  private final List<Double> millis = new ArrayList<>();
  private volatile boolean beginning = true;
  private volatile boolean over;
  private volatile int waiting;

  GlobalProbes(GlobalFleet fleet, int perSecond) {
    this.fleet = fleet;
    this.perSecond = perSecond;
    thread.start();
  }

  private void run() {
    long nextNanos = System.nanoTime();
    for (int number = 0; !over; ) {
      if (beginning && System.nanoTime() - nextNanos >= 0) {
        underWay.add(begin("probe-" + number++));
        // Not evenly, or all of them would come at the same time of the nodes' intervals.
        nextNanos += (long) (random.nextDouble(2) * 1e9 / perSecond);
      }
      look();
      Pause.millis(LOOK_MILLIS);
    }
  }

  private Probe begin(String identifier) {
    int writer = random.nextInt(GlobalFleet.NODES);
    int reader = random.nextInt(GlobalFleet.NODES);
    while (GlobalFleet.regionOf(reader) == GlobalFleet.regionOf(writer)) {
      reader = random.nextInt(GlobalFleet.NODES);
    }
    fleet.node(writer).beginProbe(identifier);
    return new Probe(identifier, fleet.node(reader), System.nanoTime());
  }

  private void look() {
    for (Iterator<Probe> probes = underWay.iterator(); probes.hasNext(); ) {
      Probe probe = probes.next();
      if (probe.reader.knowsProbe(probe.identifier)) {
        millis.add(probe.ageMillis());
        probes.remove();
      }
    }
    waiting = underWay.size();
  }

  /** Begins no more, and waits a while for those under way. */
  void finish(int mostMillis) {
    beginning = false;
    long deadlineNanos = System.nanoTime() + mostMillis * 1_000_000L;
    while (waiting > 0 && System.nanoTime() - deadlineNanos < 0) {
      Pause.millis(LOOK_MILLIS);
    }
    close();
  }

  /** How many were not known in the end. */
  int unknown() {
    return underWay.size();
  }

  /** What was found; those that were not known in the end count with their age. */
  Percentiles millis() {
    List<Double> all = new ArrayList<>(millis);
    underWay.forEach(probe -> all.add(probe.ageMillis()));
    return Percentiles.of(all);
  }

  int samples() {
    return millis.size() + underWay.size();
  }

  @Override
  public void close() {
    over = true;
    Threads.join(List.of(thread));
  }
}
