package io.tidegate.simulator.spread;

/** A way to hold a limit that many regions use. */
interface Contender {

  String label();

  /**
   * Lets it hold a limit.
   *
   * @param traffic how requests come
   * @param load how many times the limit is asked for per window
   */
  Outcome run(Settings settings, Traffic traffic, double load);
}
