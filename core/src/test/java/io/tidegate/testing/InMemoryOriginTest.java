package io.tidegate.testing;

import io.tidegate.spi.RegionalOrigin;
import io.tidegate.testing.contract.RegionalOriginContract;

class InMemoryOriginTest extends RegionalOriginContract {

  private final InMemoryOrigin origin = new InMemoryOrigin();

  @Override
  protected RegionalOrigin origin() {
    return origin;
  }
}
