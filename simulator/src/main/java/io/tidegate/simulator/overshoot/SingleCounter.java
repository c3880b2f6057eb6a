package io.tidegate.simulator.overshoot;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.world.Node;
import java.time.Instant;
import java.util.Random;

/** A single counter for all requests, which no fleet can have: the best possible result. */
enum SingleCounter implements Approach {
  /** The sliding window of a node. */
  SLIDING_WINDOW("one counter for all"),

  /** A counter that starts at zero with each window, as simple limiters have. */
  FIXED_WINDOW("one fixed window for all");

  private final String label;

  SingleCounter(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** Decides on the requests of a trial. */
  TrialResult run(OvershootSettings settings, TrafficPattern pattern, double load) {
    RequestSchedule schedule =
        new RequestSchedule(pattern, settings, load, new Random(settings.seed()));
    TrialLedger ledger = new TrialLedger(schedule);
    RateLimiter limiter = limiter();
    long window = 0;
    for (RequestSchedule.Request each : schedule.requests) {
      if (this == FIXED_WINDOW && each.nanos() / schedule.windowNanos > window) {
        window = each.nanos() / schedule.windowNanos;
        limiter = limiter(); // which has no previous window
      }
      long nowMillis = Node.EPOCH_MILLIS + each.nanos() / 1_000_000;
      Decision decision = limiter.tryAcquire(schedule.request.withCost(each.cost()), nowMillis);
      ledger.decided(each.nanos(), nowMillis, each.cost(), decision);
    }
    return ledger.result(Double.NaN, Double.NaN, new PropagationLag(settings));
  }

  private static RateLimiter limiter() {
    return RateLimiter.builder()
        .clock(() -> Instant.ofEpochMilli(Node.EPOCH_MILLIS))
        .scheduler((interval, work) -> () -> {})
        .build();
  }
}
