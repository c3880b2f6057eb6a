package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;
import java.time.Duration;
import java.util.List;

/**
 * Extent of a run.
 *
 * @param keys numbers of identifiers to measure with
 * @param lagSamples samples of the lag per round
 * @param bursts trials of a limit per round and pace
 */
record Settings(
    boolean quick,
    int rounds,
    List<Integer> keys,
    int warmupMillis,
    int loadMillis,
    int lagSamples,
    int bursts) {

  /** Long enough for a run to stay within one cell, unless it starts at the end of one. */
  private static final Duration WINDOW = Duration.ofDays(30);

  /** Never exhausted by a measurement of some seconds. */
  static final Quota AMPLE = new Quota(1_000_000_000, WINDOW);

  /** Exhausted within a second. */
  static final Quota SCANT = new Quota(1_000, WINDOW);

  static Settings full(int rounds) {
    return new Settings(false, rounds, List.of(1_000, 100_000), 2_000, 4_000, 400, 5);
  }

  static Settings quick(int rounds) {
    return new Settings(true, rounds, List.of(1_000, 10_000), 600, 1_000, 120, 2);
  }

  /** Identifiers in order of arrival: a power of two, enough for nearly all keys to occur. */
  static String[] arrivals(int keys) {
    return Identifiers.zipf(keys, Math.max(1 << 17, Integer.highestOneBit(16 * keys)));
  }
}
