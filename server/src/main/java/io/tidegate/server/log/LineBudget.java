package io.tidegate.server.log;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Bound on the log lines of one kind per second, for lines whose number clients decide. Lines
 * beyond the bound are suppressed and counted, and the next line reports their number. Any thread
 * may use it; suppressing a line takes no lock.
 *
 * <p>It is not a filter of Logback: callers ask before they collect the fields of a line, and add
 * the number of suppressed lines to it.
 */
public final class LineBudget {

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int linesPerSecond;
  private final LongSupplier nanoTime;
  private final LongAdder suppressed = new LongAdder();

  /** The current second. Like {@link #used} written under the lock, and read without it. */
  private volatile long second;

  /** Lines of the current second. */
  private volatile int used;

  /** Creates a budget of a number of lines per second. */
  public LineBudget(int linesPerSecond) {
    this(linesPerSecond, System::nanoTime);
  }

  /** Creates a budget of a number of lines per second, measured by this clock. */
  public LineBudget(int linesPerSecond, LongSupplier nanoTime) {
    this.linesPerSecond = linesPerSecond;
    this.nanoTime = nanoTime;
    this.second = now();
  }

  /**
   * Requests one line.
   *
   * @return the number of lines suppressed since the last one was written; empty if this line must
   *     not be written
   */
  public OptionalLong take() {
    long now = now();
    if (now <= second && used >= linesPerSecond) {
      suppressed.increment();
      return OptionalLong.empty();
    }
    return take(now);
  }

  private synchronized OptionalLong take(long now) {
    if (now > second) { // another thread may already have started this second
      used = 0;
      second = now;
    }
    if (used >= linesPerSecond) {
      suppressed.increment();
      return OptionalLong.empty();
    }
    used++;
    return OptionalLong.of(suppressed.sumThenReset());
  }

  private long now() {
    return Math.floorDiv(nanoTime.getAsLong(), SECOND_NANOS);
  }
}
