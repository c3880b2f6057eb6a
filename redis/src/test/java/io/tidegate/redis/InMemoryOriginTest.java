package io.tidegate.redis;

import io.tidegate.spi.RegionalOrigin;
import io.tidegate.testing.InMemoryOrigin;

class InMemoryOriginTest extends RegionalOriginContract {

  private final InMemoryOrigin origin = new InMemoryOrigin();

  @Override
  RegionalOrigin origin() {
    return origin;
  }
}
