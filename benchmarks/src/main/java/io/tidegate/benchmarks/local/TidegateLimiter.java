package io.tidegate.benchmarks.local;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.model.LimitRequest;

/** Tidegate, called in three ways. */
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
   * Also takes a token in the previous window, because a series without one is cheaper to judge.
   */
  @Override
  public void meet(String identifier) {
    long now = System.currentTimeMillis();
    gate.take(identifier, limit, 1, now - quota.window().toMillis());
    gate.take(identifier, limit, 1, now);
  }

  /** Through a gate that reads the clock at each decision. */
  static final class ThroughGate extends TidegateLimiter {

    ThroughGate(String[] arrivals, Quota quota) {
      super(arrivals, quota);
    }

    @Override
    public boolean allow(int position) {
      return gate.take(arrivals[position], limit, 1);
    }
  }

  /** Through a gate, by a caller that has read the clock already, as event loops do. */
  static final class AtGivenTime extends TidegateLimiter {

    private static final int ARRIVALS_PER_CLOCK_READ = 1_024;

    /** Written by all threads without synchronization: any recent time is good enough. */
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

  /** With request and decision objects, reading the clock at each decision. */
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
