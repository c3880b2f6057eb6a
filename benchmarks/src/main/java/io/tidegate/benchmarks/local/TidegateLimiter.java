package io.tidegate.benchmarks.local;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.model.LimitRequest;

/** Tidegate, called through a gate that reads the clock at each decision. */
class TidegateLimiter extends Limiter {

  final RateLimiter limiter = RateLimiter.inMemory();
  final long limit;
  final Gate gate;
  private final long windowMillis;

  TidegateLimiter(String[] arrivals, Quota quota) {
    super(arrivals);
    this.limit = quota.tokens();
    this.windowMillis = quota.window().toMillis();
    this.gate = limiter.gate("acme", "requests", quota.window());
  }

  /**
   * Also takes a token in the previous window, because a series without one is cheaper to judge.
   */
  @Override
  final void meet(String identifier) {
    long now = System.currentTimeMillis();
    gate.take(identifier, limit, 1, now - windowMillis);
    gate.take(identifier, limit, 1, now);
  }

  @Override
  final boolean allow(String identifier) {
    return gate.take(identifier, limit, 1);
  }

  /** Called by a caller that has read the clock already, as event loops do. */
  static final class AtGivenTime extends TidegateLimiter {

    private static final int ARRIVALS_PER_CLOCK_READ = 1_024;

    /** Written by all threads without synchronization: any recent time is good enough. */
    private long nowMillis = System.currentTimeMillis();

    AtGivenTime(String[] arrivals, Quota quota) {
      super(arrivals, quota);
    }

    @Override
    boolean allow(int position) {
      if (position % ARRIVALS_PER_CLOCK_READ == 0) {
        nowMillis = System.currentTimeMillis();
      }
      return gate.take(arrivals[position], limit, 1, nowMillis);
    }
  }

  /** Called with request and decision objects, reading the clock at each decision. */
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
    boolean allow(int position) {
      return limiter.tryAcquire(requests[position]).allowed();
    }
  }
}
