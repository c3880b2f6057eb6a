package io.tidegate.local;

import java.util.Arrays;

/**
 * What each region has counted in one cell, as the global counters told. Touched only while the
 * series of the cell is changing.
 */
final class Components {

  /** Of a cell that nobody has pushed or imported; never changed. */
  static final Components NONE = new Components();

  private static final long[] NO_COUNTS = {};

  /** By the number that this process has given a region; 0 for one that has told nothing. */
  private long[] counts = NO_COUNTS;

  private long imported;
  private long pushed;

  /** The pull of everything by which, or after whose beginning, the pushed count was last heard. */
  private int heardBy;

  /** Those of a cell that weighs this much before any region has reported a count of it. */
  static Components carrying(long count) {
    if (count == 0) {
      return NONE;
    }
    Components carrying = new Components();
    carrying.imported = count;
    return carrying;
  }

  /** The sum of what the other regions told. */
  long imported() {
    return imported;
  }

  /** How much of this region's count the global counters are known to hold. */
  long pushed() {
    return pushed;
  }

  /** Another region has counted at least this much; says by how much that is more than known. */
  long raise(int region, long count) {
    if (region >= counts.length) {
      counts = Arrays.copyOf(counts, region + 1);
    }
    long growth = Math.max(0, count - counts[region]);
    counts[region] += growth;
    imported += growth;
    return growth;
  }

  /** The global counters hold at least this much of this region's count. */
  void raisePushed(long count, int pull) {
    pushed = Math.max(pushed, count);
    heardBy = Math.max(heardBy, pull);
  }

  /**
   * A pull has read so much of this region's count. If that is less than was pushed before the pull
   * of everything began, the rest is lost.
   *
   * @return whether something is
   */
  boolean hearPushed(long count, int pull) {
    boolean lost = count < pushed && heardBy < pull;
    if (lost) {
      pushed = count;
    }
    raisePushed(count, pull);
    return lost;
  }

  /** Nothing is known to be held, unless this pull of everything or a later push has told so. */
  boolean unpushUnlessHeardBy(int pull) {
    boolean lost = pushed > 0 && heardBy < pull;
    if (lost) {
      pushed = 0;
    }
    return lost;
  }
}
