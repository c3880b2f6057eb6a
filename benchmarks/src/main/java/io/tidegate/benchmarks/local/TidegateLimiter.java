package io.tidegate.benchmarks;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;

/** Tidegate, and the three ways to ask it. */
abstract class TidegateLimiter implements Limiter {

  final RateLimiter limiter = RateLimiter.inMemory();
  final String[] arrivals;
  final Quota quota;
  final long limit;
  final Gate gate;

  TidegateLimiter(String[] arrivals, Quota quota) {
    this.arrivals = arrivals;
    this.quota = quota;
    this.limit = quota.tokens();
    this.gate = limiter.gate("acme", "requests", quota.window());
  }

  /**
   * Takes one in the previous window too: a series that has none is cheaper to judge, and rarer.
   */
  @Override
  public void meet(String identifier) {
    long now = System.currentTimeMillis();
    gate.take(identifier, limit, 1, now - quota.window().toMillis());
    gate.take(identifier, limit, 1, now);
  }

  /** Through a kept gate, reading the clock each time. */
  static final class ThroughGate extends TidegateLimiter {

    ThroughGate(String[] arrivals, Quota quota) {
      super(arrivals, quota);
    }

    @Override
    public boolean allow(int position) {
      return gate.take(arrivals[position], limit, 1);
    }
  }

  /** Through a kept gate by a caller that has the time already, as an event loop has. */
  static final class AtGivenTime extends TidegateLimiter {

    private static final int ARRIVALS_PER_CLOCK_READ = 1_024;

    /** Written by all callers without care: the time that any of them has read is good enough. */
    private long nowMillis = System.currentTimeMillis();

    AtGivenTime(String[] arrivals, Quota quota) {
      super(arrivals, quota);
    }

    @Override
    public boolean allow(int position) {
      if (position % ARRIVALS_PER_CLOCK_READ == 0) {
        nowMillis = System.currentTimeMillis();
      }
      return gate.take(arrivals[position], limit, 1, nowMillis);
    }
  }

  /** With requests in and decisions out, reading the clock each time. */
  static final class WithDecision extends TidegateLimiter {

    private final LimitRequest[] requests;

    WithDecision(String[] arrivals, Quota quota) {
      super(arrivals, quota);
      this.requests = new LimitRequest[arrivals.length];
      for (int i = 0; i < arrivals.length; i++) {
        requests[i] = new LimitRequest(gate.scope(), arrivals[i], limit, 1);
      }
    }

    @Override
    public boolean allow(int position) {
      return limiter.tryAcquire(requests[position]).allowed();
    }
  }
}
