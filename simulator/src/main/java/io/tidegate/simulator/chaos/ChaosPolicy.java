package io.tidegate.simulator.chaos;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;

/** What regions tell each other, and what they need not tell. */
enum ChaosPolicy {
  /** All, of windows of any length: so that in the end every node has to know everything. */
  ALL(PushPolicy.floor(0, Duration.ofSeconds(1)).withShortestWindow(Duration.ZERO)) {
    @Override
    long untold(long limit, long count) {
      return 0;
    }
  },
  ADAPTIVE(PushPolicy.adaptive()) {
    @Override
    long untold(long limit, long count) {
      return Math.max((limit + 19) / 20, count / 2);
    }
  },
  FLOOR(PushPolicy.floor(0.2, Duration.ofSeconds(2))) {
    @Override
    long untold(long limit, long count) {
      return (limit + 4) / 5;
    }
  };

  private final PushPolicy pushPolicy;

  ChaosPolicy(PushPolicy pushPolicy) {
    this.pushPolicy = pushPolicy;
  }

  PushPolicy pushPolicy() {
    return pushPolicy;
  }

  /**
   * What a region may keep to itself.
   *
   * @param limit the highest that was asked for
   * @param count what it has counted
   */
  abstract long untold(long limit, long count);
}
