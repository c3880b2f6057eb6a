package io.tidegate.benchmarks;

import java.time.Duration;

/** What every identifier may take: the same for all competitors. */
record Quota(long tokens, Duration window) {

  /**
   * Out of reach in the seconds that a measurement lasts, and the most that resilience4j's
   * {@code int} can say.
   */
  static final Quota AMPLE = new Quota(Integer.MAX_VALUE, Duration.ofMinutes(1));

  /** Used up at once, and not replenished while a measurement lasts. */
  static final Quota SCANT = new Quota(10, Duration.ofHours(1));

  double tokensPerSecond() {
    return (double) tokens / window.toSeconds();
  }
}
