package io.tidegate.benchmarks.global;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.function.Consumer;

/** A node of the fleet: a limiter with its own thread and connections, like a process. */
final class FleetNode implements AutoCloseable {

  /** Longer than any lag. */
  private static final Duration PROBE_WINDOW = Duration.ofDays(30);

  /** A full limit, which every policy pushes. */
  private static final int PROBE_LIMIT = 1;

  private final MeteredCounters counters;
  private final MeteredScheduler scheduler;
  private final RateLimiter limiter;
  private final Gate gate;
  private final Gate probes;
  private long pushCallsSeen;

  FleetNode(
      String jdbcUrl,
      String region,
      FleetOrigin origin,
      PushPolicy policy,
      Duration window,
      ExchangeMeter meter,
      Consumer<Component> pushes) {
    this.counters = new MeteredCounters(
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect(),
        meter,
        pushes);
    this.scheduler = new MeteredScheduler("node-of-" + region, nanos -> {
      long calls = counters.pushCalls();
      if (calls > pushCallsSeen) {
        meter.pushingTick(nanos);
      } else {
        meter.idleTick(nanos);
      }
      pushCallsSeen = calls;
    });
    this.limiter = RateLimiter.builder()
        .region(region)
        .origin(origin)
        .globalCounters(counters)
        .pushPolicy(policy)
        .scheduler(scheduler)
        .observer(meter)
        .build();
    this.gate = limiter.gate("acme", "requests", window);
    this.probes = limiter.gate("acme", "probes", PROBE_WINDOW);
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
    scheduler.close();
  }
}
