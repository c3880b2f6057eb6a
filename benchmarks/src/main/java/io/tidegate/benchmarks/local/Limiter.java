package io.tidegate.benchmarks.local;

/** A rate limiter under test. A fork uses one implementation only, so calls are not virtual. */
abstract class Limiter {

  final String[] arrivals;

  Limiter(String[] arrivals) {
    this.arrivals = arrivals;
  }

  /** Stores an identifier and takes a token, before anything is measured. */
  void meet(String identifier) {
    allow(identifier);
  }

  /** Requests one token for the arrival at this position. */
  boolean allow(int position) {
    return allow(arrivals[position]);
  }

  abstract boolean allow(String identifier);
}
