package io.tidegate.jdbc;

import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.InMemoryGlobalCounters;

class InMemoryGlobalCountersTest extends GlobalCountersContract {

  private final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();

  @Override
  GlobalCounters counters() {
    return counters;
  }
}
