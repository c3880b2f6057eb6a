package io.tidegate.simulator.chaos;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;

/** The push policies of scenarios, with the counts that each may leave unpushed. */
enum ChaosPolicy {
  /** Pushes everything, of windows of any length, so that all nodes converge to the truth. */
  ALL(PushPolicy.floor(0, Duration.ofSeconds(1)).withShortestWindow(Duration.ZERO)) {
    @Override
    long maxUnpushed(long limit, long count) {
      return 0;
    }
  },
  ADAPTIVE(PushPolicy.adaptive()) {
    @Override
    long maxUnpushed(long limit, long count) {
      return Math.max((limit + 19) / 20, count / 2);
    }
  },
  FLOOR(PushPolicy.floor(0.2, Duration.ofSeconds(2))) {
    @Override
    long maxUnpushed(long limit, long count) {
      return (limit + 4) / 5;
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // push policies are immutable
  private final PushPolicy pushPolicy;

  ChaosPolicy(PushPolicy pushPolicy) {
    this.pushPolicy = pushPolicy;
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
  abstract long maxUnpushed(long limit, long count);
}
