package io.tidegate.simulator.chaos;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.function.LongBinaryOperator;

/** The push policies of scenarios, with the counts that each may leave unpushed. */
enum ChaosPolicy {
  /** Pushes everything, of windows of any length, so that all nodes converge to the truth. */
  ALL(
      PushPolicy.floor(0, Duration.ofSeconds(1)).withShortestWindow(Duration.ZERO),
      (limit, count) -> 0),
  ADAPTIVE(PushPolicy.adaptive(), (limit, count) -> Math.max((limit + 19) / 20, count / 2)),
  FLOOR(PushPolicy.floor(0.2, Duration.ofSeconds(2)), (limit, count) -> (limit + 4) / 5);

  @SuppressWarnings("ImmutableEnumChecker") // push policies are immutable
  private final PushPolicy pushPolicy;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final LongBinaryOperator maxUnpushed;

  ChaosPolicy(PushPolicy pushPolicy, LongBinaryOperator maxUnpushed) {
    this.pushPolicy = pushPolicy;
    this.maxUnpushed = maxUnpushed;
  }

  PushPolicy pushPolicy() {
    return pushPolicy;
  }

  /**
   * Most tokens that a region may leave unpushed.
   *
   * @param limit highest limit of all requests for the series
   * @param count regional count
   */
  long maxUnpushed(long limit, long count) {
    return maxUnpushed.applyAsLong(limit, count);
  }
}
