package io.tidegate.benchmarks.global;

import java.util.List;

/**
 * Extent of a run.
 *
 * @param rounds measured windows of each policy
 * @param series active series of the reference fleet
 * @param times multiples of the reference fleet for further loads, of one window each
 * @param probesPerSecond samples of the lag per second
 * @param lastProbeMillis time to wait for the last samples
 * @param spendMillis length of the overshoot trial; 0 to omit it
 * @param cells active cells of the node whose ticks are measured
 * @param ticks measured ticks for each share of changed cells
 * @param connections numbers of connections that write or read as fast as they can
 * @param ceilingMillis length of each measurement of the database alone
 * @param databaseTimes multiples of the reference fleet for the database alone
 */
record Settings(
    boolean quick,
    int rounds,
    int windowMillis,
    int series,
    List<Integer> times,
    int warmupMillis,
    int probesPerSecond,
    int lastProbeMillis,
    int spendMillis,
    int cells,
    int ticks,
    List<Integer> connections,
    int ceilingMillis,
    List<Integer> databaseTimes) {

  /** Active series of the reference system at peak. */
  private static final int ACTIVE = 24_000;

  static Settings full(int rounds) {
    return new Settings(
        false,
        rounds,
        60_000,
        ACTIVE,
        List.of(3, 10),
        60_000,
        5,
        30_000,
        90_000,
        10 * ACTIVE,
        9,
        List.of(1, 2, 4, 8),
        4_000,
        List.of(1, 3, 10, 20, 40));
  }

  /** A fifteenth of the series in windows of a fifteenth: as many requests and rows per second. */
  static Settings quick(int rounds) {
    return new Settings(
        true,
        rounds,
        4_000,
        ACTIVE / 15,
        List.of(),
        2_500,
        20,
        1_000,
        0,
        10 * ACTIVE,
        3,
        List.of(1, 4),
        1_000,
        List.of(1));
  }
}
