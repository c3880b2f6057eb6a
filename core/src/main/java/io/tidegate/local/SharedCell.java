package io.tidegate.local;

/**
 * The state of one cell of a {@link SharedCounter} beside its counts: which of the own count the
 * origin has confirmed. It moves from current to previous at a rotation.
 *
 * <p>Written and read while the counter is changing. After the counter was removed, answers of the
 * origin still confirm, without a lock: the worst case is that a count is sent once more.
 */
class SharedCell {

  /** A previous cell without counts. Never written. */
  static final SharedCell EMPTY = new SharedCell();

  /** Own count of the cell, set when the cell ends. Until then it is in the counter's word. */
  private long finalOwn;

  /** Part of the own count that the origin has confirmed. */
  private volatile long confirmed;

  SharedCell() {}

  SharedCell(SharedCell other) {
    this.finalOwn = other.finalOwn;
    this.confirmed = other.confirmed;
  }

  final long finalOwn() {
    return finalOwn;
  }

  /**
   * Ends the cell with this own count.
   *
   * @return the cell to keep as the previous one
   */
  SharedCell end(long own) {
    assert own >= confirmed : "confirmed " + confirmed + " of " + own;
    finalOwn = own;
    return own == 0 ? EMPTY : this;
  }

  final long confirmed() {
    return confirmed;
  }

  /** The origin holds at least this much of the own count. */
  final void confirm(long count) {
    if (count > confirmed) {
      assert this != EMPTY : "the empty cell is shared";
      confirmed = count;
    }
  }

  /** The origin may have lost what it confirmed. */
  final void unconfirm() {
    if (confirmed != 0) {
      confirmed = 0;
    }
  }

  /** Sum of the counts of other regions. */
  long imported() {
    return 0;
  }

  /** Part of the regional count that the global counters hold. */
  long pushed() {
    return 0;
  }

  /**
   * A full pull has ended that began at this time.
   *
   * @return whether it shows that the global counters have lost the pushed count
   */
  boolean unpushUnlessConfirmed(int pullStartSeconds) {
    return false;
  }

  /** This cell with room for the counts of regions; a copy unless it has that room already. */
  PublishedCell published() {
    return new PublishedCell(this);
  }
}
