package io.tidegate;

import io.tidegate.runtime.SystemScheduler;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that a daemon thread sets to the system's time every millisecond. A decision then reads a
 * field instead of the system clock, which takes longer than the rest of a decision on a busy key.
 *
 * <pre>{@code
 * try (CoarseClock clock = CoarseClock.start();
 *     RateLimiter limiter = RateLimiter.builder().clock(clock).build()) {
 *   limiter.gate("acme", "login", Duration.ofMinutes(1)).take("user_42", 10, 1);
 * }
 * }</pre>
 *
 * <p>The time is late by up to about a millisecond, and by the time for which the operating system
 * does not run the thread. That has no fixed bound: it is some milliseconds if all processors are
 * busy, and more in a container that has used up its share of them. A collection of garbage or a
 * suspension of the machine stops the thread together with the callers. Callers that continue
 * before the thread does decide at the time of the stop. The clock is not ahead of the system's,
 * unless that was set back in the last millisecond.
 *
 * <p>A decision at a late time is exact for that time. A window therefore ends late by as much, a
 * request may be counted in the window before its own, and a retry after exactly
 * {@code retryAfterMillis} may be a millisecond early and be denied once more. A request that
 * passes {@code nowMillis} does not read this clock.
 *
 * <p>All clocks of a JVM share one thread, and any number of limiters may share a clock. A limiter
 * does not close its clock. Close it: a clock that is not closed is updated, and kept in memory,
 * until the JVM ends.
 */
public final class CoarseClock implements InstantSource, AutoCloseable {

  /** The unit of the times that decisions use: a shorter interval would make none more exact. */
  private static final Duration INTERVAL = Duration.ofMillis(1);

  private final InstantSource source;
  private final Scheduler.Task updates;

  /** Written by the thread of the scheduler, and read by all decisions. */
  private volatile long nowMillis;

  private volatile boolean closed;

  CoarseClock(InstantSource source, Scheduler scheduler) {
    this.source = source;
    this.nowMillis = source.millis();
    this.updates = scheduler.every(INTERVAL, () -> nowMillis = source.millis());
  }

  /**
   * Starts a clock: {@code CoarseClock clock = CoarseClock.start();}
   *
   * @return the clock, to be closed by the caller
   */
  public static CoarseClock start() {
    return new CoarseClock(InstantSource.system(), SystemScheduler.ofClocks());
  }

  @Override
  public long millis() {
    return closed ? source.millis() : nowMillis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  /**
   * Stops the updates: {@code clock.close()}. Limiters that still use the clock read the system
   * clock at each decision from then on: a clock that stands still would deny for ever.
   */
  @Override
  public void close() {
    closed = true;
    updates.cancel();
  }
}
