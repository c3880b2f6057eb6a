package io.tidegate.spi;

/**
 * What the origin held of a cell when it was asked.
 *
 * <p>{@code new RegionalCount(12, 7).peers() // 5}
 *
 * @param total the counts of all writers
 * @param ownPart the count of the writer who asked
 */
public record RegionalCount(long total, long ownPart) {

  /** More than any region can count: beyond it, somebody else has written there. */
  private static final long MAX_TOTAL = 1L << 53;

  /** Refuses counts that cannot be. */
  public RegionalCount {
    if (ownPart < 0 || total < ownPart || total > MAX_TOTAL) {
      throw new IllegalArgumentException(
          "own part and total must be 0 <= own part <= total <= 2^53: " + ownPart + ", " + total);
    }
  }

  /**
   * What the others counted: {@code counter.mergePeers(count.peers())}.
   *
   * @return total less own part
   */
  public long peers() {
    return total - ownPart;
  }
}
