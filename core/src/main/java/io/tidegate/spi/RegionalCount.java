package io.tidegate.spi;

/**
 * The count of a cell in the origin.
 *
 * <p>{@code new RegionalCount(12, 7).peers() // 5}
 *
 * @param total the sum over all writers
 * @param ownPart the count of the writer that sent the call
 */
public record RegionalCount(long total, long ownPart) {

  /** Far above what a region can count; higher values are corrupt. Doubles are exact up to here. */
  private static final long MAX_TOTAL = 1L << 53;

  /** Rejects values out of range. */
  public RegionalCount {
    if (ownPart < 0 || total < ownPart || total > MAX_TOTAL) {
      throw new IllegalArgumentException(
          "own part and total must be 0 <= own part <= total <= 2^53: " + ownPart + ", " + total);
    }
  }

  /**
   * Returns the count of the other writers: {@code count.peers()}.
   *
   * @return total minus own part
   */
  public long peers() {
    return total - ownPart;
  }
}
