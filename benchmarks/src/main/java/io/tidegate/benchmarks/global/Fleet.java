package io.tidegate.benchmarks.global;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.global.GlobalLayer;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * 33 nodes in 10 regions, as in the reference system. The nodes of a region share an origin in
 * memory; all share a real database.
 */
final class Fleet implements AutoCloseable {

  static final int REGIONS = 10;
  static final int NODES = 33;

  final ExchangeMeter meter = new ExchangeMeter();
  private final List<InMemoryOrigin> origins =
      Stream.generate(InMemoryOrigin::new).limit(REGIONS).toList();
  private final List<Node> nodes = new ArrayList<>();
  private final ScheduledThreadPoolExecutor housekeeping = new ScheduledThreadPoolExecutor(1);

  /** Starts all nodes. Each pushed component is also passed to a consumer. */
  Fleet(String jdbcUrl, PushPolicy policy, Duration window, Consumer<Component> pushes) {
    for (int i = 0; i < NODES; i++) {
      GlobalCounters database = Database.connect(jdbcUrl);
      nodes.add(new Node(regionOf(i), meter.new Counters(database, pushes), policy, window));
    }
    // Origins for tests record every call; without this, a long run would fill the heap.
    Runnable clearCalls = () -> origins.forEach(InMemoryOrigin::clearCalls);
    var unused = housekeeping.scheduleWithFixedDelay(clearCalls, 1, 1, TimeUnit.SECONDS);
  }

  /** The region of a node; each has three or four nodes. */
  static int regionOf(int node) {
    return node % REGIONS;
  }

  static int randomNode(int region, SplittableRandom random) {
    return region + REGIONS * random.nextInt((NODES - region + REGIONS - 1) / REGIONS);
  }

  Node node(int number) {
    return nodes.get(number);
  }

  @Override
  public void close() {
    housekeeping.shutdownNow();
    nodes.parallelStream().forEach(Node::stop);
  }

  /** A limiter with its own thread and connections, like a process. */
  final class Node implements Scheduler {

    final Gate gate;
    final Gate probes; // for series that measure the lag
    private final ExchangeMeter.Counters counters;
    private final ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("node", work));
    private final RateLimiter limiter;

    private Node(int region, ExchangeMeter.Counters counters, PushPolicy policy, Duration window) {
      this.counters = counters;
      executor.setRemoveOnCancelPolicy(true);
      this.limiter = RateLimiter.builder()
          .region("region-" + region)
          .origin(origins.get(region))
          .globalCounters(counters)
          .pushPolicy(policy)
          .scheduler(this)
          .observer(meter)
          .build();
      this.gate = limiter.gate("acme", "requests", window);
      this.probes = limiter.gate("acme", "probes", Duration.ofDays(30)); // longer than any lag
    }

    /** Runs all work on the thread of the node, and measures that of the global layer. */
    @Override
    public Task every(Duration interval, Runnable work) {
      Runnable metered =
          interval.equals(GlobalLayer.TICK) ? () -> counters.measureTick(work) : work;
      long millis = interval.toMillis();
      ScheduledFuture<?> task =
          executor.scheduleWithFixedDelay(metered, millis, millis, TimeUnit.MILLISECONDS);
      return () -> task.cancel(false);
    }

    private void stop() {
      counters.stop();
      limiter.close();
      executor.shutdownNow();
    }
  }
}
