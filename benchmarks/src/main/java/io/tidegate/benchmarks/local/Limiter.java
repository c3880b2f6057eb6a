package io.tidegate.benchmarks.local;

/** A rate limiter under test. A fork loads one implementation only, so calls are not virtual. */
interface Limiter {

  /** Stores an identifier and takes a token, before anything is measured. */
  void meet(String identifier);

  /** Requests one token for the arrival at this position. */
  boolean allow(int position);
}
