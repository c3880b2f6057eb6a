package io.tidegate.simulator.chaos;

/** A property of a kind of fault: where it acts, and what the referee excuses because of it. */
enum FaultTrait {
  /** Happens at one moment and has no end. */
  MOMENTARY,
  /** Affects one part of an origin and the series stored there, not the whole origin. */
  ONE_PART,
  /** Keeps counts of nodes from their origin, or lets the origin lose them. */
  DELAYS_REPLAYS,
  /** Makes reads of the origin fail for all nodes of the region. */
  FAILS_READS,
  /** Makes reads of the origin fail for one node. */
  FAILS_READS_OF_NODE,
  /** Keeps a node from all of its origin, without a break: it has to pull for itself. */
  CUTS_OFF_ORIGIN,
  /** Stops at most one node of a region from being its reader: another one has to take over. */
  STOPS_ONE_READER,
  /** Deletes counts from an origin. */
  LOSES_ORIGIN_COUNTS,
  /** Deletes counts so that only the loss check of a node can detect it, series by series. */
  FOUND_BY_LOSS_CHECK,
  /** Leaves calls to the database unanswered, so that they end with a timeout. */
  STALLS_DATABASE_CALLS,
  /** Makes pulls from the database fail, for all regions. */
  FAILS_PULLS,
  /** Makes pulls from the database fail, for one region or a node of it. */
  FAILS_PULLS_OF_REGION,
  /** Deletes counts from the database. */
  LOSES_GLOBAL_COUNTS,
  /** Makes the clock of a node wrong. */
  MOVES_CLOCK
}
