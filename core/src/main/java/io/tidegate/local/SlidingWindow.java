package io.tidegate.local;

import io.tidegate.model.Decision;

/**
 * The arithmetic of a sliding window over two fixed cells: exact integers, rounded down,
 * saturating.
 *
 * <p>Counts are 0 to {@code Long.MAX_VALUE}, windows, limits, costs and times as in
 * {@link io.tidegate.model.Bounds}. No operation overflows.
 */
final class SlidingWindow {

  private SlidingWindow() {}

  /** Start of the fixed cell that contains this time. */
  static long cellStart(long nowMillis, long windowMillis) {
    return Math.floorDiv(nowMillis, windowMillis) * windowMillis;
  }

  /**
   * The part of the previous cell that the sliding window still covers, in milliseconds: all of it
   * at the start of the current cell. A time before the current cell counts as its start, so that a
   * clock that steps back frees no tokens.
   */
  static long overlap(long nowMillis, long startMillis, long windowMillis) {
    return Math.min(windowMillis, startMillis + windowMillis - nowMillis);
  }

  /** The contribution of the previous cell: {@code floor(previous * overlap / window)}. */
  static long weighted(long previous, long overlapMillis, long windowMillis) {
    return previous == 0 ? 0 : multiplyDivide(previous, overlapMillis, windowMillis);
  }

  /** The count that a limit is compared with. */
  static long effective(long current, long weightedPrevious, long cost) {
    return saturatedAdd(saturatedAdd(current, weightedPrevious), cost);
  }

  /**
   * Whether a request with this effective count is admitted. A limit of 0 denies everything, peeks
   * included.
   */
  static boolean admits(long effective, long limit) {
    return effective <= limit && limit != 0;
  }

  /**
   * When a request that is denied now would be admitted, without other requests in between.
   *
   * <p>The previous cell's weight falls through the current cell; then the current cell becomes the
   * previous one and its weight falls; after two cells, neither weighs. In each cell the condition
   * {@code floor(count * overlap / window) <= room} has a greatest overlap that satisfies it, hence
   * an earliest time.
   *
   * @return a time, or {@link Decision#NEVER}
   */
  static long admittedAt(
      long current, long previous, long startMillis, long windowMillis, long limit, long cost) {
    if (limit == 0 || cost > limit) {
      return Decision.NEVER;
    }
    long room = limit - cost;
    long overlap = greatestOverlap(previous, room - current, windowMillis);
    if (overlap > 0) {
      return startMillis + windowMillis - overlap;
    }
    return startMillis + 2 * windowMillis - greatestOverlap(current, room, windowMillis);
  }

  /**
   * The greatest overlap, 0 to a whole window, at which {@code floor(count * overlap / window) <=
   * room}.
   */
  private static long greatestOverlap(long count, long room, long windowMillis) {
    if (room < 0) {
      return 0;
    }
    if (count <= room) {
      return windowMillis;
    }
    // floor(c * o / w) <= r  <=>  c * o < (r + 1) * w  <=>  o <= ceil((r + 1) * w / c) - 1
    long quotient = multiplyDivide(room + 1, windowMillis, count);
    // Both products may wrap; they differ by less than count, so they are equal if their low 64
    // bits are.
    boolean exact = quotient * count == (room + 1) * windowMillis;
    return exact ? quotient - 1 : quotient;
  }

  /** {@code floor(a * b / divisor)} for non-negative values whose result fits a long. */
  static long multiplyDivide(long a, long b, long divisor) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    return high == 0 && low >= 0 ? low / divisor : longDivide(high, low, divisor);
  }

  /** Binary long division of a 128-bit number, whose high half is less than the divisor. */
  private static long longDivide(long high, long low, long divisor) {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      high = high << 1 | low >>> 63;
      low <<= 1;
      if (Long.compareUnsigned(high, divisor) >= 0) {
        high -= divisor;
        low |= 1;
      }
    }
    return low;
  }

  private static long saturatedAdd(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
