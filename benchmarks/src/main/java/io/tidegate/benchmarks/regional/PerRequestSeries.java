package io.tidegate.benchmarks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** An identifier's two cells, and until when it is in strict mode. */
final class PerRequestSeries {

  private static final long FRESH_MILLIS = 5_000;
  private static final long RETRY_MILLIS = 300;

  private final String identifier;
  private final long windowMillis;
  private volatile Cells cells;
  private volatile long strictUntilMillis;

  PerRequestSeries(String identifier, long windowMillis) {
    this.identifier = identifier;
    this.windowMillis = windowMillis;
    this.cells = new Cells(cell(-1), cell(-2), windowMillis);
  }

  /** The cells at this time. They are kept until a later window begins. */
  Cells at(long nowMillis) {
    long sequence = Math.floorDiv(nowMillis, windowMillis);
    Cells known = cells;
    return known.current.sequence >= sequence ? known : roll(sequence);
  }

  private synchronized Cells roll(long sequence) {
    Cell last = cells.current;
    if (last.sequence < sequence) {
      Cell previous = last.sequence == sequence - 1 ? last : cell(sequence - 1);
      cells = new Cells(cell(sequence), previous, windowMillis);
    }
    return cells;
  }

  private Cell cell(long sequence) {
    return new Cell(identifier + ":" + sequence, sequence);
  }

  long strictUntilMillis() {
    return strictUntilMillis;
  }

  /** A race between two denials may leave the earlier deadline, by a moment. */
  void denied(long untilMillis) {
    strictUntilMillis = Math.max(strictUntilMillis, untilMillis);
  }

  /** The cell of a time and the one before it. */
  record Cells(Cell current, Cell previous, long windowMillis) {

    /** A current count, plus the share of the previous that the window still covers. */
    long effective(long currentCount, long nowMillis) {
      long elapsed = Math.max(0, nowMillis - current.sequence * windowMillis);
      double weight = (double) (windowMillis - elapsed) / windowMillis;
      return currentCount + (long) (previous.count() * weight);
    }
  }

  /** One count for all: what this node accepted, or what Redis told if that is more. */
  static final class Cell {

    private final String key;
    private final long sequence;
    private final AtomicLong count = new AtomicLong();
    private volatile long freshUntilMillis = Long.MIN_VALUE;

    private Cell(String key, long sequence) {
      this.key = key;
      this.sequence = sequence;
    }

    String key() {
      return key;
    }

    long count() {
      return count.get();
    }

    boolean add(long expected, long cost) {
      return count.compareAndSet(expected, expected + cost);
    }

    /** Redis has told a count, which is good for a while. */
    void merge(long told, long nowMillis) {
      count.accumulateAndGet(told, Math::max);
      freshUntilMillis = nowMillis + FRESH_MILLIS;
    }

    /** Asks Redis if that is due; the others wait for the one who asks. */
    void refresh(ToLongFunction<String> redis, long nowMillis, boolean always) {
      if (!always && nowMillis < freshUntilMillis) {
        return;
      }
      synchronized (this) {
        if (always || nowMillis >= freshUntilMillis) {
          long told = redis.applyAsLong(key);
          if (told >= 0) {
            merge(told, nowMillis);
          } else {
            freshUntilMillis = nowMillis + RETRY_MILLIS;
          }
        }
      }
    }
  }
}
