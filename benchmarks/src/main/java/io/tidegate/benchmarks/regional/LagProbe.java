package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Pacer;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.regional.Contender.Node;
import io.tidegate.benchmarks.regional.Results.Lag;
import io.tidegate.report.Percentiles;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Measures the time from a request that one node admits until the other counts it, while both
 * decide on other keys.
 *
 * <p>The other node keeps using the shared key, because a node that does not use a key reads Redis
 * before its next decision on it. The nodes take turns: the lag in one direction may depend on the
 * offset between their ticks.
 */
record LagProbe(RedisServer redis, Settings settings) {

  /** Background load of each node: light even for the slowest contender. */
  static final int BACKGROUND_PER_SECOND = 2_000;

  static final int BACKGROUND_KEYS = 1_000;

  /** Interval at which the other node uses the shared key. */
  private static final long USE_NANOS = 2_000_000;

  private static final long PEEK_NANOS = 100_000;

  /** Bound of a sample; far above any target. */
  private static final long GIVE_UP_NANOS = 2_000_000_000;

  Lag measure(Contender contender, int round) {
    String[] arrivals = Settings.arrivals(BACKGROUND_KEYS);
    AtomicBoolean over = new AtomicBoolean();
    try (Nodes nodes = new Nodes(contender, redis, Settings.AMPLE)) {
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
        long unused = background.get(); // waits for the nodes
      }
    }
  }

  /** Samples of one key that both nodes use. */
  private static final class Probe {

    private final Nodes nodes;
    private final String identifier;
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<Double> millis = new ArrayList<>();
    private final List<Double> decisionMicros = new ArrayList<>();
    private long taken;
    private long nextUseNanos = System.nanoTime();

    Probe(Nodes nodes, int number) {
      this.nodes = nodes;
      this.identifier = "probe-" + number;
    }

    void sample(int samples) {
      for (int i = 0; i < samples; i++) {
        Node from = nodes.get(i % Nodes.COUNT);
        Node to = nodes.get((i + 1) % Nodes.COUNT);
        // A random pause; otherwise every request would follow a tick.
        use(to, System.nanoTime() + random.nextLong(5_000_000, 25_000_000));
        take(from);
        long beganNanos = System.nanoTime();
        while (to.count(identifier) < taken && System.nanoTime() - beganNanos < GIVE_UP_NANOS) {
          use(to, System.nanoTime() + PEEK_NANOS);
        }
        millis.add((System.nanoTime() - beganNanos) / 1e6);
      }
    }

    /** Takes a token at each interval. */
    private void use(Node node, long untilNanos) {
      while (nextUseNanos - untilNanos < 0) {
        Pause.untilNanos(nextUseNanos);
        long beganNanos = System.nanoTime();
        take(node);
        decisionMicros.add((System.nanoTime() - beganNanos) / 1e3);
        nextUseNanos = System.nanoTime() + USE_NANOS;
      }
      Pause.untilNanos(untilNanos);
    }

    private void take(Node node) {
      taken += node.allow(identifier) ? 1 : 0;
    }
  }
}
