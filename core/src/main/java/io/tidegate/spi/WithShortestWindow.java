package io.tidegate.spi;

import java.time.Duration;

/** Another policy with a different shortest window. */
record WithShortestWindow(PushPolicy policy, Duration shortestWindow) implements PushPolicy {

  @Override
  public Duration interval() {
    return policy.interval();
  }

  @Override
  public boolean isWorthPushing(CellUse use) {
    return policy.isWorthPushing(use);
  }
}
