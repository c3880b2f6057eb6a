package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Threads;
import io.tidegate.benchmarks.regional.Contender.Node;
import io.tidegate.benchmarks.regional.Results.Lag;
import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.report.Percentiles;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Measures the nodes of a contender on one Redis. */
record Measurements(RedisServer redis, Settings settings) {

  /** Load of each node besides the measurement of lag: light even for the slowest contender. */
  static final int BACKGROUND_PER_SECOND = 2_000;

  static final int BACKGROUND_KEYS = 1_000;

  /** Interval at which a node uses the key that the lag is measured with. */
  private static final long USE_NANOS = 2_000_000;

  private static final long PEEK_NANOS = 100_000;

  /** Bound of a sample of the lag; far above any target. */
  private static final long GIVE_UP_NANOS = 2_000_000_000;

  /** Denials that end an unthrottled burst; one would do, as counts only grow within a cell. */
  private static final int DENIALS = 100;

  /** Requests of a paced burst as a multiple of the limit. */
  private static final int TIMES_LIMIT = 10;

  /** Drives all nodes as fast as they decide, one thread each, under a limit out of reach. */
  Load load(int keys, Contender contender, int round) {
    String[] arrivals = Settings.arrivals(keys);
    List<String> distinct = Arrays.stream(arrivals).distinct().toList();
    RedisMeter meter = new RedisMeter(redis);
    try (Nodes nodes = new Nodes(contender, redis, Settings.AMPLE)) {
      long beganNanos = System.nanoTime();
      long cold = nodes.together(node -> distinct.stream().filter(node::allow).count());
      double coldSeconds = secondsSince(beganNanos);
      long warmed = drive(nodes, arrivals, settings.warmupMillis());
      nodes.settle();

      RedisMeter.Reading before = meter.read();
      beganNanos = System.nanoTime();
      long decisions = drive(nodes, arrivals, settings.loadMillis());
      double seconds = secondsSince(beganNanos);
      RedisMeter.Reading use = meter.read().since(before);
      nodes.settle();
      double settleMillis = 1e3 * (secondsSince(beganNanos) - seconds);

      long admitted = cold + warmed + decisions;
      return new Load(
          keys,
          contender,
          round,
          distinct.size(),
          cold / coldSeconds,
          decisions / seconds,
          use.messages() / seconds,
          use.commands() / seconds,
          100 * use.cpuSeconds() / seconds,
          settleMillis,
          admitted,
          contender.keepsCountsInRedis() ? meter.counted() : admitted);
    }
  }

  private static long drive(Nodes nodes, String[] arrivals, int millis) {
    return nodes.drive(arrivals, () -> () -> {}, () -> Threads.sleep(millis));
  }

  private static double secondsSince(long beganNanos) {
    return (System.nanoTime() - beganNanos) / 1e9;
  }

  /**
   * Measures the time from a request that one node admits until the other counts it, while both
   * decide on other keys.
   */
  Lag lag(Contender contender, int round) {
    Supplier<Runnable> pace = () -> new Pacer(BACKGROUND_PER_SECOND)::awaitTurn;
    try (Nodes nodes = new Nodes(contender, redis, Settings.AMPLE)) {
      LagProbe probe = new LagProbe(nodes, "measured");
      nodes.drive(Settings.arrivals(BACKGROUND_KEYS), pace, () -> {
        new LagProbe(nodes, "warm-up").sample(settings.lagSamples() / 4);
        probe.sample(settings.lagSamples());
      });
      return new Lag(
          contender, round, Percentiles.of(probe.millis), Percentiles.of(probe.decisionMicros));
    }
  }

  /**
   * Samples of one key that both nodes use.
   *
   * <p>The other node keeps using the key, because a node that does not use a key reads Redis
   * before its next decision on it. The nodes take turns: the lag in one direction may depend on
   * the offset between their ticks.
   */
  private static final class LagProbe {

    private final Nodes nodes;
    private final String identifier;
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<Double> millis = new ArrayList<>();
    private final List<Double> decisionMicros = new ArrayList<>();
    private long taken;
    private long nextUseNanos = System.nanoTime();

    LagProbe(Nodes nodes, String identifier) {
      this.nodes = nodes;
      this.identifier = identifier;
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
        Threads.sleepUntil(nextUseNanos);
        long beganNanos = System.nanoTime();
        take(node);
        decisionMicros.add((System.nanoTime() - beganNanos) / 1e3);
        nextUseNanos = System.nanoTime() + USE_NANOS;
      }
      Threads.sleepUntil(untilNanos);
    }

    private void take(Node node) {
      taken += node.allow(identifier) ? 1 : 0;
    }
  }

  /** Requests more than a limit from all nodes at once, and counts the admitted tokens. */
  List<Overshoot> overshoots(Contender contender, int round) {
    List<Overshoot> overshoots = new ArrayList<>();
    try (Nodes nodes = new Nodes(contender, redis, Settings.SCANT)) {
      double limit = Settings.SCANT.tokens();
      for (int i = 0; i < settings.bursts(); i++) {
        String one = "unthrottled-" + i;
        String other = "paced-" + i;
        double unthrottled = nodes.together(node -> unthrottled(node, one)) / limit;
        double paced = nodes.together(node -> paced(node, other)) / limit;
        overshoots.add(new Overshoot(contender, round, unthrottled, paced));
      }
    }
    return overshoots;
  }

  private static long unthrottled(Node node, String identifier) {
    long admitted = 0;
    for (int denials = 0; denials < DENIALS; ) {
      if (node.allow(identifier)) {
        admitted++;
      } else {
        denials++;
      }
    }
    return admitted;
  }

  private static long paced(Node node, String identifier) {
    int requests = TIMES_LIMIT * (int) Settings.SCANT.tokens() / Nodes.COUNT;
    Pacer pacer = new Pacer(requests);
    long admitted = 0;
    for (int i = 0; i < requests; i++) {
      pacer.awaitTurn();
      admitted += node.allow(identifier) ? 1 : 0;
    }
    return admitted;
  }

  /** Gives turns at an even rate. A late caller gets its missed turns at once. */
  private static final class Pacer {

    private final double nanosPerTurn;
    private final long startNanos = System.nanoTime();
    private long turns;

    Pacer(int perSecond) {
      this.nanosPerTurn = 1e9 / perSecond;
    }

    void awaitTurn() {
      Threads.sleepUntil(startNanos + (long) (turns++ * nanosPerTurn));
    }
  }
}
