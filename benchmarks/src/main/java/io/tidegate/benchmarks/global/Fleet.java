package io.tidegate.benchmarks.global;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.global.GlobalLayer;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private final ExchangeMeter meter = new ExchangeMeter();
  private final List<FleetOrigin> origins =
      Stream.generate(FleetOrigin::new).limit(REGIONS).toList();
  private final List<Node> nodes = new ArrayList<>();
  private final ScheduledThreadPoolExecutor housekeeping = new ScheduledThreadPoolExecutor(1);

  /** Starts all nodes. Each pushed component is also passed to a consumer. */
  Fleet(String jdbcUrl, PushPolicy policy, Duration window, Consumer<Component> pushes) {
    for (int i = 0; i < NODES; i++) {
      JdbcGlobalCounters database =
          JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect();
      nodes.add(new Node(regionOf(i), meter.new Counters(database, pushes), policy, window));
    }
    Runnable removeExpired =
        () -> origins.forEach(origin -> origin.removeExpired(System.currentTimeMillis()));
    var unused = housekeeping.scheduleWithFixedDelay(removeExpired, 5, 5, TimeUnit.SECONDS);
  }

  /** The region of a node; each has three or four nodes. */
  static int regionOf(int node) {
    return node % REGIONS;
  }

  static int nodesOf(int region) {
    return (NODES - region + REGIONS - 1) / REGIONS;
  }

  /** The node with this number within its region. */
  static int nodeOf(int region, int number) {
    return region + number * REGIONS;
  }

  ExchangeMeter meter() {
    return meter;
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

    /** Longer than any lag. */
    private static final Duration PROBE_WINDOW = Duration.ofDays(30);

    final Gate gate;

    /** For series that measure the lag. */
    final Gate probes;

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
      this.probes = limiter.gate("acme", "probes", PROBE_WINDOW);
    }

    /** Runs all work on the thread of the node, and measures that of the global layer. */
    @Override
    public Task every(Duration interval, Runnable work) {
      boolean isGlobal = interval.equals(GlobalLayer.TICK);
      Runnable metered = isGlobal ? () -> counters.measureTick(work) : work;
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
