package io.tidegate.local;

/** What a decision may rest on. */
enum Basis {
  /** Counts that are fresh enough; otherwise the origin must be read before the decision. */
  FRESH_COUNTS,
  /** The counts in the memory of this node, however old they are. */
  MEMORY
}
