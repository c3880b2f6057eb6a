package io.tidegate.benchmarks;

import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.benchmarks.RegionalFigures.Tally;
import io.tidegate.benchmarks.RegionalFigures.Traffic;
import io.tidegate.testkit.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Asks all nodes as fast as they answer, one thread each, within an ample limit. */
record RegionalLoad(RedisServer redis, RegionalSettings settings) {

  Load measure(int keys, RegionalContender contender, int round) {
    String[] arrivals = RegionalSettings.arrivals(keys);
    List<String> known = Arrays.stream(arrivals).distinct().toList();
    RedisMeter meter = new RedisMeter(redis);
    try (RegionalNodes nodes = new RegionalNodes(contender, redis, RegionalSettings.AMPLE)) {
      long beganNanos = System.nanoTime();
      long met =
          nodes.together((node, number) -> known.stream().filter(node::allow).count());
      double coldPerSecond = met / secondsSince(beganNanos);
      long warmed = drive(nodes, arrivals, settings.warmupMillis());
      nodes.settle();

      RedisMeter.Reading before = meter.read();
      beganNanos = System.nanoTime();
      long decisions = drive(nodes, arrivals, settings.loadMillis());
      double seconds = secondsSince(beganNanos);
      RedisMeter.Reading after = meter.read();
      nodes.settle();
      double settlingMillis = 1e3 * (secondsSince(beganNanos) - seconds);

      long accepted = met + warmed + decisions;
      return new Load(
          keys,
          contender,
          round,
          known.size(),
          coldPerSecond,
          new Traffic(
              seconds,
              decisions,
              after.commands() - before.commands(),
              after.commands("hset") - before.commands("hset"),
              after.cpu().minus(before.cpu()).toNanos() / 1e9),
          settlingMillis,
          new Tally(
              accepted,
              contender.keepsCountsInRedis() ? meter.counted() : accepted,
              nodes.dropped()));
    }
  }

  /** Each node has the same arrivals, but is elsewhere among them. */
  private static long drive(RegionalNodes nodes, String[] arrivals, int millis) {
    AtomicBoolean over = new AtomicBoolean();
    Supplier<Long> accepted = nodes.begin((node, number) -> {
      long taken = 0;
      int position = number * arrivals.length / RegionalNodes.COUNT;
      while (!over.get()) {
        taken += node.allow(arrivals[position++ & arrivals.length - 1]) ? 1 : 0;
      }
      return taken;
    });
    try {
      Pause.millis(millis);
    } finally {
      over.set(true);
    }
    return accepted.get();
  }

  private static double secondsSince(long beganNanos) {
    return (System.nanoTime() - beganNanos) / 1e9;
  }
}
