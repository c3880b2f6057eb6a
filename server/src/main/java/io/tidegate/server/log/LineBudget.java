package io.tidegate.server.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Bound on the log lines of one kind: at most some in each second. The others are suppressed and
 * counted, and the next line says how many they were. Any thread may ask.
 */
public final class LineBudget {

  /** Returned by {@link #take} for a line that must not be written. */
  public static final long SUPPRESSED = -1;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int linesPerSecond;
  private final LongSupplier nanoTime;
  private final LongAdder suppressed = new LongAdder();

  /** Both are written under this object's lock; read without it, to suppress a line cheaply. */
  private volatile long second;

  private volatile int used;

  /** A budget of so many lines in each second. */
  public LineBudget(int linesPerSecond) {
    this(linesPerSecond, System::nanoTime);
  }

  LineBudget(int linesPerSecond, LongSupplier nanoTime) {
    this.linesPerSecond = linesPerSecond;
    this.nanoTime = nanoTime;
    this.second = now();
  }

  /**
   * Asks for one line.
   *
   * @return {@link #SUPPRESSED}, or how many lines were suppressed since the last that was written
   */
  public long take() {
    long now = now();
    if (now <= second && used >= linesPerSecond) {
      suppressed.increment();
      return SUPPRESSED;
    }
    return take(now);
  }

  private synchronized long take(long now) {
    if (now > second) { // another thread may have read a later time
      used = 0;
      second = now;
    }
    if (used >= linesPerSecond) {
      suppressed.increment();
      return SUPPRESSED;
    }
    used++;
    return suppressed.sumThenReset();
  }

  private long now() {
    return Math.floorDiv(nanoTime.getAsLong(), SECOND_NANOS);
  }
}
