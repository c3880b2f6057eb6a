package io.tidegate.spi;

/**
 * The count of a cell in the origin.
 *
 * <p>{@code new RegionalCount(12, 7, 30, 2, 5).peers() // 5}
 *
 * @param total the sum over all writers of the region
 * @param ownPart the count of the writer that sent the call
 * @param imported the sum of the stored counts of other regions
 * @param regions number of other regions with a stored count
 * @param pushed the part of the region's count that is known to have been pushed
 */
public record RegionalCount(long total, long ownPart, long imported, int regions, long pushed) {

  /** A cell without counts. */
  public static final RegionalCount NONE = new RegionalCount(0, 0);

  /** Far above what a region can count; higher values are corrupt. Doubles are exact up to here. */
  private static final long MAX_TOTAL = 1L << 53;

  /** Rejects values out of range. */
  public RegionalCount {
    if (ownPart < 0 || total < ownPart || total > MAX_TOTAL) {
      throw new IllegalArgumentException(
          "own part and total must be 0 <= own part <= total <= 2^53: " + ownPart + ", " + total);
    }
    if (imported < 0 || imported > MAX_TOTAL || pushed < 0 || pushed > MAX_TOTAL) {
      throw new IllegalArgumentException(
          "imported and pushed must be between 0 and 2^53: " + imported + ", " + pushed);
    }
    if (regions < 0) {
      throw new IllegalArgumentException("regions must not be negative: " + regions);
    }
  }

  /**
   * A count of a cell that regions have not exchanged: {@code new RegionalCount(12, 7)}.
   *
   * @param total the sum over all writers of the region
   * @param ownPart the count of the writer that sent the call
   */
  public RegionalCount(long total, long ownPart) {
    this(total, ownPart, 0, 0, 0);
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
