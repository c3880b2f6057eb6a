package io.tidegate.model;

/**
 * The tokens of one cell in the memory of a node, by where they were admitted.
 *
 * <p>{@code new CellCounts(7, 5, 30).total() // 42}
 *
 * @param own tokens that this node admitted
 * @param peers tokens that the other nodes of the region admitted, as far as this node has received
 *     them
 * @param imported tokens that other regions admitted, as far as this node has received them. Also
 *     tokens of a cell that a clock which was wrong for a moment put into the future
 */
public record CellCounts(long own, long peers, long imported) {

  /** A cell without counts. */
  public static final CellCounts NONE = new CellCounts(0, 0, 0);

  /** Rejects negative counts. */
  public CellCounts {
    if ((own | peers | imported) < 0) {
      throw new IllegalArgumentException("own, peers and imported must not be negative: %d, %d, %d"
          .formatted(own, peers, imported));
    }
  }

  /**
   * Returns what the region has admitted: {@code counts.regional()}.
   *
   * @return own plus peers' tokens
   */
  public long regional() {
    return own + peers;
  }

  /**
   * Returns what decisions of this node count: {@code counts.total()}.
   *
   * @return own, peers' and imported tokens
   */
  public long total() {
    return own + peers + imported;
  }
}
