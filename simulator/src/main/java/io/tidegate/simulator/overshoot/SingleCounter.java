package io.tidegate.simulator.overshoot;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.LimitRequest;
import io.tidegate.simulator.world.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.BiFunction;

/** One place that counts all requests, which no fleet has: what could be reached at best. */
enum SingleCounter implements Approach {
  /** The sliding window that nodes have, of which there is only one. */
  PERFECT("one counter for all") {
    @Override
    BiFunction<LimitRequest, Long, Decision> limiter() {
      RateLimiter limiter = RateLimiter.builder()
          .clock(() -> Instant.ofEpochMilli(Node.EPOCH_MILLIS))
          .scheduler((interval, work) -> () -> {})
          .build();
      return limiter::tryAcquire;
    }
  },

  /** A count that begins anew with each window, as simple limiters have. */
  FIXED_CELL("one fixed window for all") {
    @Override
    BiFunction<LimitRequest, Long, Decision> limiter() {
      return new FixedCell()::decide;
    }
  };

  private final String label;

  SingleCounter(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** Decides on a request at a time. */
  abstract BiFunction<LimitRequest, Long, Decision> limiter();

  /** What becomes of the requests that a trial would have. */
  @Override
  public TrialResult run(OvershootSettings settings, TrafficPattern traffic, double load) {
    RequestSchedule plan = traffic.plan(settings, load, new Random(settings.seed()));
    LimitRequest request = OvershootTrial.request(settings, traffic);
    Ledger ledger = new Ledger(plan);
    BiFunction<LimitRequest, Long, Decision> limiter = limiter();
    for (RequestSchedule.Request planned : plan.requests()) {
      long nowMillis = Node.EPOCH_MILLIS + Duration.ofNanos(planned.nanos()).toMillis();
      Decision decision = limiter.apply(request.withCost(planned.cost()), nowMillis);
      ledger.note(planned.nanos(), nowMillis, planned.cost(), decision);
    }
    return new TrialResult(ledger.admission(), null);
  }

  private static final class FixedCell {

    private long sequence;
    private long count;

    Decision decide(LimitRequest request, long nowMillis) {
      long window = request.scope().windowMillis();
      if (nowMillis / window != sequence) {
        sequence = nowMillis / window;
        count = 0;
      }
      long effective = count + request.cost();
      boolean allowed = effective <= request.limit();
      count = allowed ? effective : count;
      long end = (sequence + 1) * window;
      return new Decision(
          allowed,
          request.limit(),
          allowed ? request.limit() - effective : 0,
          end,
          allowed ? 0 : end - nowMillis,
          effective,
          Source.LOCAL,
          false);
    }
  }
}
