package io.tidegate.spi;

import java.time.Duration;

/** Tells all of a series that has used a fraction of its limit. */
record Floor(double fraction, Duration interval) implements PushPolicy {

  @Override
  public boolean isWorthPushing(CellUse use) {
    return use.unpushed() > 0 && use.count() >= Math.max(1, Math.ceil(fraction * use.limit()));
  }
}
