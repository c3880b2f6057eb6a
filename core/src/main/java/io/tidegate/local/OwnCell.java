package io.tidegate.local;

/**
 * The own count of one cell at one instant, on its way to the origin.
 *
 * @param source the counter or the cell that it was read from
 * @param incarnation the incarnation that counted it. No two counters of this process share one, so
 *     the counts of an earlier counter of the series stay in the origin as those of another writer
 * @param startMillis when the cell began
 * @param count the own count
 * @param confirmed the part that the origin had confirmed at that instant
 */
public record OwnCell(
    Unconfirmed source, int incarnation, long startMillis, long count, long confirmed) {

  public OwnCell {
    assert count >= confirmed : "confirmed " + confirmed + " of " + count;
  }
}
