package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.testkit.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Drives all nodes as fast as they decide, one thread each, under a limit out of reach. */
record Throughput(RedisServer redis, Settings settings) {

  Load measure(int keys, Contender contender, int round) {
    String[] arrivals = Settings.arrivals(keys);
    List<String> distinct = Arrays.stream(arrivals).distinct().toList();
    RedisMeter meter = new RedisMeter(redis);
    try (Nodes nodes = new Nodes(contender, redis, Settings.AMPLE)) {
      long beganNanos = System.nanoTime();
      long cold =
          nodes.together((node, number) -> distinct.stream().filter(node::allow).count());
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

  /** Sends the same arrivals to each node, from a different position on. */
  private static long drive(Nodes nodes, String[] arrivals, int millis) {
    AtomicBoolean over = new AtomicBoolean();
    Supplier<Long> admitted = nodes.begin((node, number) -> {
      long taken = 0;
      int position = number * arrivals.length / Nodes.COUNT;
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
    return admitted.get();
  }

  private static double secondsSince(long beganNanos) {
    return (System.nanoTime() - beganNanos) / 1e9;
  }
}
