package io.tidegate.simulator.overshoot;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.LimitRequest;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.world.Node;
import java.time.Instant;
import java.util.Random;
import java.util.function.BiFunction;

/** A single counter for all requests, which no fleet can have: the best possible result. */
enum SingleCounter implements Approach {
  /** The sliding window of a node. */
  SLIDING_WINDOW("one counter for all") {
    @Override
    BiFunction<LimitRequest, Long, Decision> limiter() {
      RateLimiter limiter = RateLimiter.builder()
          .clock(() -> Instant.ofEpochMilli(Node.EPOCH_MILLIS))
          .scheduler((interval, work) -> () -> {})
          .build();
      return limiter::tryAcquire;
    }
  },

  /** A counter that starts at zero with each window, as simple limiters have. */
  FIXED_WINDOW("one fixed window for all") {
    @Override
    BiFunction<LimitRequest, Long, Decision> limiter() {
      return new FixedWindow()::decide;
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

  /** A function that decides on a request at a time in milliseconds. */
  abstract BiFunction<LimitRequest, Long, Decision> limiter();

  /** Decides on the requests of a trial. */
  TrialResult run(OvershootSettings settings, TrafficPattern pattern, double load) {
    RequestSchedule schedule =
        new RequestSchedule(pattern, settings, load, new Random(settings.seed()));
    LimitRequest request = OvershootTrial.request(settings, pattern);
    TrialLedger ledger = new TrialLedger(schedule);
    BiFunction<LimitRequest, Long, Decision> limiter = limiter();
    for (RequestSchedule.Request each : schedule.requests()) {
      long nowMillis = Node.EPOCH_MILLIS + each.nanos() / 1_000_000;
      Decision decision = limiter.apply(request.withCost(each.cost()), nowMillis);
      ledger.decided(each.nanos(), nowMillis, each.cost(), decision);
    }
    return new TrialResult(ledger.summary(), null);
  }

  private static final class FixedWindow {

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
