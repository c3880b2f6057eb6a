package io.tidegate.global;

/** For whom a node pulls the counts of other regions. */
enum Reading {

  /** It does not pull: another node is the reader of the region, or there is none yet. */
  NONE,

  /** For all nodes of its region, into the origin, as its reader. */
  REGION,

  /** For itself, into its own counters: it has no origin, or the origin does not answer. */
  NODE
}
