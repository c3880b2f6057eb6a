package io.tidegate.benchmarks.global;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.global.GlobalLayer;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A node of the fleet: a limiter with its own thread and connections, like a process. Measures the
 * CPU time of each tick of the global layer.
 */
final class FleetNode implements AutoCloseable, Scheduler {

  /** Longer than any lag. */
  private static final Duration PROBE_WINDOW = Duration.ofDays(30);

  /** A full limit, which every policy pushes. */
  private static final int PROBE_LIMIT = 1;

  private final ExchangeMeter meter;
  private final MeteredCounters counters;
  private final ScheduledThreadPoolExecutor executor;
  private final RateLimiter limiter;
  private final Gate gate;
  private final Gate probes;

  /** Used by the thread of the scheduler only. */
  private long pushCallsSeen;

  FleetNode(
      String jdbcUrl,
      String region,
      FleetOrigin origin,
      PushPolicy policy,
      Duration window,
      ExchangeMeter meter,
      Consumer<Component> pushes) {
    this.meter = meter;
    JdbcGlobalCounters database =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect();
    this.counters = new MeteredCounters(database, meter, pushes);
    this.executor =
        new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("node-of-" + region, work));
    executor.setRemoveOnCancelPolicy(true);
    this.limiter = RateLimiter.builder()
        .region(region)
        .origin(origin)
        .globalCounters(counters)
        .pushPolicy(policy)
        .scheduler(this)
        .observer(meter)
        .build();
    this.gate = limiter.gate("acme", "requests", window);
    this.probes = limiter.gate("acme", "probes", PROBE_WINDOW);
  }

  @Override
  public Task every(Duration interval, Runnable work) {
    Runnable metered = interval.equals(GlobalLayer.TICK) ? () -> measure(work) : work;
    long millis = interval.toMillis();
    ScheduledFuture<?> task =
        executor.scheduleWithFixedDelay(metered, millis, millis, TimeUnit.MILLISECONDS);
    return () -> task.cancel(false);
  }

  private void measure(Runnable tick) {
    long before = Cpu.threadNanos();
    tick.run();
    long nanos = Cpu.threadNanos() - before;
    meter.used(nanos);
    long pushCalls = counters.pushCalls();
    if (pushCalls > pushCallsSeen) {
      meter.pushingTick(nanos);
    }
    pushCallsSeen = pushCalls;
  }

  boolean take(String identifier, long limit) {
    return gate.take(identifier, limit, 1);
  }

  /** Exhausts the limit of a new series. */
  void beginProbe(String identifier) {
    if (!probes.take(identifier, PROBE_LIMIT, 1)) {
      throw new IllegalStateException("not a new series: " + identifier);
    }
  }

  boolean countsProbe(String identifier) {
    return probes.tryAcquire(identifier, PROBE_LIMIT, 0).effectiveCount() >= PROBE_LIMIT;
  }

  @Override
  public void close() {
    counters.stop();
    limiter.close();
    executor.shutdownNow();
  }
}
