package io.tidegate.simulator.overshoot;

/** A way to hold a limit that many regions use. */
interface Approach {

  String label();

  /**
   * Lets it hold a limit.
   *
   * @param traffic how requests come
   * @param load how many times the limit is asked for per window
   */
  TrialResult run(OvershootSettings settings, TrafficPattern traffic, double load);
}
