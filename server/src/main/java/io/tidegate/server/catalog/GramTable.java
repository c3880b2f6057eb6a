package io.tidegate.server.catalog;

import java.util.Arrays;
import java.util.Map;

/**
 * A hash table from grams of one length to numbers. A gram is a run of one to four characters,
 * packed into a long. Immutable. Uses open addressing and no boxing, because a decision looks up
 * every gram of its identifier.
 */
final class GramTable {

  /** Characters that fit into a long. */
  static final int MAX_LENGTH = 4;

  private static final int ABSENT = -1;

  private final int length;
  private final long[] grams;
  private final int[] values;

  /**
   * Creates a table.
   *
   * @param length of every gram, in UTF-16 units
   * @param entries a number for each gram, at least 0
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
        slot = (slot + 1) & (values.length - 1);
      }
      grams[slot] = gram;
      values[slot] = value;
    });
  }

  int length() {
    return length;
  }

  /** The gram that ends with a character, computed from the gram that ends one before it. */
  static long next(long previous, char last, int length) {
    return ((previous << Character.SIZE) | last)
        & (-1L >>> (Character.SIZE * (MAX_LENGTH - length)));
  }

  /** The number of a gram; -1 if the table does not contain it. */
  int find(long gram) {
    int slot = slot(gram);
    while (values[slot] != ABSENT && grams[slot] != gram) {
      slot = (slot + 1) & (values.length - 1);
    }
    return values[slot];
  }

  private int slot(long gram) {
    long mixed = gram * 0x9E3779B97F4A7C15L; // 2^64 / golden ratio, spreads similar grams
    return (int) (mixed >>> 32) & (values.length - 1);
  }
}
