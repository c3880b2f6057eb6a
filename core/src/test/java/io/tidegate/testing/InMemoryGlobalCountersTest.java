package io.tidegate.testing;

import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.contract.GlobalCountersContract;

class InMemoryGlobalCountersTest extends GlobalCountersContract {

  private final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();

  @Override
  protected GlobalCounters counters() {
    return counters;
  }
}
