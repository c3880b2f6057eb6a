package io.tidegate.benchmarks;

/**
 * What a benchmark sees of a rate limiter. A fork loads one implementation only, so the calls cost
 * none of them anything.
 */
interface Limiter {

  /** Stores an identifier and takes a token, as in the limiter's past. */
  void meet(String identifier);

  /** Asks for one token on behalf of the arrival at this position. */
  boolean allow(int position);
}
