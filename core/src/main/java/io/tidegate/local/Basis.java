package io.tidegate.local;

/** What a decision may rest on. */
public enum Basis {
  /**
   * Counts that are fresh enough, and this node's share of what is left; otherwise the origin must
   * be read before the decision.
   */
  FRESH_COUNTS,
  /**
   * An answer of the origin that has just arrived, and this node's share of what is left. One
   * request may exceed the share: otherwise the last tokens of a limit could not be spent.
   */
  READ,
  /** The counts in the memory of this node, however old they are. */
  MEMORY;

  /**
   * Whether a request must not exceed this node's share.
   *
   * @param unconfirmed own tokens that the origin has not confirmed, with those of the request
   */
  boolean requiresShare(long unconfirmed, long cost) {
    return cost > 0 && (this == FRESH_COUNTS || (this == READ && unconfirmed > cost));
  }
}
