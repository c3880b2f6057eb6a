package io.tidegate.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * What a run measures, and for how long.
 *
 * @param quick whether speed matters more than completeness
 * @param rounds how often everything is measured
 * @param keys identifiers, for each load
 * @param warmupMillis how long a load goes on before it is measured
 * @param loadMillis how long it is measured
 * @param lagSamples how often the lag is taken in a round
 * @param bursts how often a limit is used up in a round, at each pace
 */
record RegionalSettings(
    boolean quick,
    int rounds,
    List<Integer> keys,
    int warmupMillis,
    int loadMillis,
    int lagSamples,
    int bursts) {

  /** So long that a run stays within one cell, unless it happens to begin at the end of one. */
  private static final Duration WINDOW = Duration.ofDays(30);

  /** Out of reach in the seconds that a measurement lasts. */
  static final Quota AMPLE = new Quota(1_000_000_000, WINDOW);

  /** Used up in an instant. */
  static final Quota SCANT = new Quota(1_000, WINDOW);

  static RegionalSettings full(int rounds) {
    return new RegionalSettings(false, rounds, List.of(1_000, 100_000), 2_000, 4_000, 400, 5);
  }

  static RegionalSettings quick(int rounds) {
    return new RegionalSettings(true, rounds, List.of(1_000, 10_000), 600, 1_000, 120, 2);
  }

  /** For each contender's code to be compiled before anything is measured. */
  RegionalSettings forWarmup() {
    return new RegionalSettings(quick, 1, keys, warmupMillis, warmupMillis, lagSamples, 1);
  }

  /** Who asks, in order of arrival: as many as a power of two, so that nearly all keys come up. */
  static String[] arrivals(int keys) {
    return Identifiers.zipf(keys, Math.max(1 << 17, Integer.highestOneBit(16 * keys)));
  }
}
