package io.tidegate.server.catalog;

import java.util.Arrays;
import java.util.Map;

/**
 * Numbers by grams of one length: runs of one to four characters, packed into a long. Immutable.
 * Open addressing without boxing, since decisions look up every gram of their identifier.
 */
final class GramTable {

  /** The characters that a long holds. */
  static final int MAX_LENGTH = 4;

  private static final int ABSENT = -1;

  private final int length;
  private final long[] grams;
  private final int[] values;

  /**
   * A table of these grams.
   *
   * @param length of every gram, in UTF-16 units
   * @param entries a number for each gram, not negative
   */
  GramTable(int length, Map<Long, Integer> entries) {
    int capacity = Integer.highestOneBit(Math.max(1, entries.size())) * 4; // at most half full
    this.length = length;
    this.grams = new long[capacity];
    this.values = new int[capacity];
    Arrays.fill(values, ABSENT);
    entries.forEach((gram, value) -> {
      int slot = slot(gram);
      while (values[slot] != ABSENT) {
        slot = slot + 1 & values.length - 1;
      }
      grams[slot] = gram;
      values[slot] = value;
    });
  }

  int length() {
    return length;
  }

  /** The gram that ends with a character, given the one that ended before it. */
  static long next(long previous, char last, int length) {
    return (previous << Character.SIZE | last) & -1L >>> Character.SIZE * (MAX_LENGTH - length);
  }

  /** The number of a gram, -1 if it has none. */
  int find(long gram) {
    int slot = slot(gram);
    while (values[slot] != ABSENT && grams[slot] != gram) {
      slot = slot + 1 & values.length - 1;
    }
    return values[slot];
  }

  private int slot(long gram) {
    long mixed = gram * 0x9E3779B97F4A7C15L; // spreads neighbours: 2^64 over the golden ratio
    return (int) (mixed >>> 32) & values.length - 1;
  }
}
