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
    LimitRequest request = OvershootTrial.request(settings, pattern);
    TrialLedger ledger = new TrialLedger(schedule);
    BiFunction<LimitRequest, Long, Decision> limiter =
        this == FIXED_WINDOW ? new FixedWindow()::decide : slidingWindow()::tryAcquire;
    for (RequestSchedule.Request each : schedule.requests) {
      long nowMillis = Node.EPOCH_MILLIS + each.nanos() / 1_000_000;
      Decision decision = limiter.apply(request.withCost(each.cost()), nowMillis);
      ledger.decided(each.nanos(), nowMillis, each.cost(), decision);
    }
    return ledger.result(Double.NaN, Double.NaN, new PropagationLag(settings));
  }

  private static RateLimiter slidingWindow() {
    return RateLimiter.builder()
        .clock(() -> Instant.ofEpochMilli(Node.EPOCH_MILLIS))
        .scheduler((interval, work) -> () -> {})
        .build();
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
      long limit = request.limit();
      long effective = count + request.cost();
      boolean allowed = effective <= limit;
      count = allowed ? effective : count;
      long left = allowed ? limit - effective : 0;
      long end = (sequence + 1) * window;
      long wait = allowed ? 0 : end - nowMillis;
      return new Decision(allowed, limit, left, end, wait, effective, Source.LOCAL, false);
    }
  }
}
