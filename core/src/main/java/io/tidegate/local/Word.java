package io.tidegate.local;

/**
 * The word of a {@link SeriesCounter}: {@code state (2 bits) | rotations (22 bits) | own count of
 * the current cell (40 bits)}. The package page explains the widths.
 */
final class Word {

  /** A batch checks and charges the series. Neither state bit set means open. */
  static final long HELD = 1L << 62;

  /** The fields are being written. The word is negative exactly if this bit is set. */
  static final long CHANGING = 1L << 63;

  /** Expired or evicted. Nothing is added any more; callers find or create its successor. */
  static final long REMOVED = CHANGING | HELD;

  private static final long ONE_ROTATION = 1L << 40;
  private static final long OWN_MASK = ONE_ROTATION - 1;
  private static final long ROTATIONS_MASK = HELD - ONE_ROTATION;

  private Word() {}

  static long own(long word) {
    return word & OWN_MASK;
  }

  /** The word with a greater own count, which ends at its greatest value. */
  static long plus(long word, long cost) {
    return word + Math.min(cost, OWN_MASK - own(word));
  }

  static boolean isOpen(long word) {
    return (word & REMOVED) == 0;
  }

  static boolean isRemoved(long word) {
    return (word & REMOVED) == REMOVED;
  }

  /** Whether the second word was read while the series was in the cell of the first. */
  static boolean isSameCell(long word, long later) {
    return later >= 0 && ((word ^ later) & ROTATIONS_MASK) == 0;
  }

  /** The open word of the next cell, with own count 0. */
  static long rotated(long word) {
    return (word + ONE_ROTATION) & ROTATIONS_MASK;
  }
}
