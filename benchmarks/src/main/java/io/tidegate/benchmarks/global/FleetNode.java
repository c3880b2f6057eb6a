package io.tidegate.benchmarks;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.function.Consumer;

/** A virtual node: a limiter with a thread and connections of its own, as a process has them. */
final class GlobalNode implements AutoCloseable {

  /** So long that a probe is not over before it is known. */
  private static final Duration PROBE_WINDOW = Duration.ofDays(30);

  /** The least that every policy finds worth telling: all of a limit. */
  private static final int PROBE_LIMIT = 1;

  private final MeteredCounters counters;
  private final MeteredScheduler scheduler;
  private final RateLimiter limiter;
  private final Gate gate;
  private final Gate probes;
  private long pushCallsSeen;

  GlobalNode(
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
      meter.ticked(nanos, calls > pushCallsSeen);
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

  /** Uses all of a limit that nobody has used before. */
  void beginProbe(String identifier) {
    if (!probes.take(identifier, PROBE_LIMIT, 1)) {
      throw new IllegalStateException("used before: " + identifier);
    }
  }

  boolean knowsProbe(String identifier) {
    return probes.tryAcquire(identifier, PROBE_LIMIT, 0).effectiveCount() >= PROBE_LIMIT;
  }

  @Override
  public void close() {
    counters.end();
    limiter.close();
    scheduler.close();
  }
}
