package io.tidegate.benchmarks.load;

import java.time.Duration;

/** The limit of every identifier, the same for all competitors. */
public record Quota(long tokens, Duration window) {

  /**
   * Never exhausted by a measurement of some seconds; the maximum of resilience4j's {@code int}.
   */
  public static final Quota AMPLE = new Quota(Integer.MAX_VALUE, Duration.ofMinutes(1));

  /** Exhausted at once, and not replenished during a measurement. */
  public static final Quota SCANT = new Quota(10, Duration.ofHours(1));
}
