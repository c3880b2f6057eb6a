package io.tidegate.benchmarks;

import io.tidegate.benchmarks.RegionalFigures.Lag;
import io.tidegate.report.Percentiles;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Takes the time from a request that one node accepts until the other knows of it, while both are
 * busy with other keys.
 *
 * <p>The other uses the same key meanwhile, as nodes do with a key that they share: one that does
 * not has nothing to decide, and reads Redis before it does. The nodes take turns, since the lag
 * one way may depend on how long after the other a node ticks.
 */
record RegionalLag(RedisServer redis, RegionalSettings settings) {

  /** Of each node, over so many keys: as much as the slowest of the contenders can easily do. */
  static final int BACKGROUND_PER_SECOND = 2_000;

  static final int BACKGROUND_KEYS = 1_000;

  /** How often the node that is to learn of it takes from the shared key. */
  private static final long USE_NANOS = 2_000_000;

  private static final long LOOK_NANOS = 100_000;

  /** Longer than anything that could be called convergence. */
  private static final long GIVE_UP_NANOS = 2_000_000_000;

  Lag measure(RegionalContender contender, int round) {
    String[] arrivals = RegionalSettings.arrivals(BACKGROUND_KEYS);
    AtomicBoolean over = new AtomicBoolean();
    try (RegionalNodes nodes = new RegionalNodes(contender, redis, RegionalSettings.AMPLE)) {
      Supplier<Long> background = nodes.begin((node, number) -> {
        Pacer pacer = new Pacer(BACKGROUND_PER_SECOND);
        long taken = 0;
        for (int position = number; !over.get(); position++) {
          pacer.awaitTurn();
          taken += node.allow(arrivals[position & arrivals.length - 1]) ? 1 : 0;
        }
        return taken;
      });
      try {
        new Probe(nodes, 1).sample(settings.lagSamples() / 4); // warm-up
        Probe probe = new Probe(nodes, 2);
        probe.sample(settings.lagSamples());
        return new Lag(
            contender, round, Percentiles.of(probe.millis), Percentiles.of(probe.decisionMicros));
      } finally {
        over.set(true);
        background.get();
      }
    }
  }

  /** The key that both nodes use. */
  private static final class Probe {

    private final RegionalNodes nodes;
    private final String identifier;
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<Double> millis = new ArrayList<>();
    private final List<Double> decisionMicros = new ArrayList<>();
    private long taken;
    private long nextUseNanos = System.nanoTime();

    Probe(RegionalNodes nodes, int number) {
      this.nodes = nodes;
      this.identifier = "probe-" + number;
    }

    void sample(int samples) {
      for (int i = 0; i < samples; i++) {
        RegionalLimiter from = nodes.get(i % RegionalNodes.COUNT);
        RegionalLimiter to = nodes.get((i + 1) % RegionalNodes.COUNT);
        // Of any length, or every request would come just after a tick.
        use(to, System.nanoTime() + random.nextLong(5_000_000, 25_000_000));
        take(from);
        long beganNanos = System.nanoTime();
        while (to.known(identifier) < taken && System.nanoTime() - beganNanos < GIVE_UP_NANOS) {
          use(to, System.nanoTime() + LOOK_NANOS);
        }
        millis.add((System.nanoTime() - beganNanos) / 1e6);
      }
    }

    /** Takes a token every now and then. */
    private void use(RegionalLimiter node, long untilNanos) {
      while (nextUseNanos - untilNanos < 0) {
        Pause.untilNanos(nextUseNanos);
        long beganNanos = System.nanoTime();
        take(node);
        decisionMicros.add((System.nanoTime() - beganNanos) / 1e3);
        nextUseNanos = System.nanoTime() + USE_NANOS;
      }
      Pause.untilNanos(untilNanos);
    }

    private void take(RegionalLimiter node) {
      taken += node.allow(identifier) ? 1 : 0;
    }
  }
}
