package io.tidegate.benchmarks.regional;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The two cells of an identifier, and the end of its strict mode. */
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

  /** The cells at this time, which stay until a later window begins. */
  Cells at(long nowMillis) {
    long sequence = Math.floorDiv(nowMillis, windowMillis);
    Cells latest = cells;
    return latest.current.sequence >= sequence ? latest : roll(sequence);
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

  /** Extends strict mode. A race between two denials may leave the earlier end. */
  void denied(long untilMillis) {
    strictUntilMillis = Math.max(strictUntilMillis, untilMillis);
  }

  /** The cell of a time and the one before it. */
  record Cells(Cell current, Cell previous, long windowMillis) {

    /** The current count, plus the share of the previous one that the window still covers. */
    long effective(long currentCount, long nowMillis) {
      long elapsed = Math.max(0, nowMillis - current.sequence * windowMillis);
      double weight = (double) (windowMillis - elapsed) / windowMillis;
      return currentCount + (long) (previous.count.get() * weight);
    }
  }

  /** A count: the higher of what this node admitted and what Redis returned. */
  static final class Cell {

    final String key;
    final AtomicLong count = new AtomicLong();
    private final long sequence;
    private volatile long freshUntilMillis = Long.MIN_VALUE;

    private Cell(String key, long sequence) {
      this.key = key;
      this.sequence = sequence;
    }

    /** Adopts a count of Redis, which is then fresh for a while. */
    void merge(long total, long nowMillis) {
      count.accumulateAndGet(total, Math::max);
      freshUntilMillis = nowMillis + FRESH_MILLIS;
    }

    /** Reads Redis if the count is stale; other threads wait for the one that reads. */
    void refreshIfStale(Function<String, OptionalLong> redis, long nowMillis) {
      if (nowMillis >= freshUntilMillis) {
        synchronized (this) {
          if (nowMillis >= freshUntilMillis) {
            refresh(redis, nowMillis);
          }
        }
      }
    }

    /** Reads Redis. After a failure the count passes as fresh until the next attempt. */
    synchronized void refresh(Function<String, OptionalLong> redis, long nowMillis) {
      OptionalLong total = redis.apply(key);
      if (total.isPresent()) {
        merge(total.getAsLong(), nowMillis);
      } else {
        freshUntilMillis = nowMillis + RETRY_MILLIS;
      }
    }
  }
}
