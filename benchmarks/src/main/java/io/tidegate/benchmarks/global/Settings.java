package io.tidegate.benchmarks;

import java.util.List;

/**
 * What a run measures, and for how long.
 *
 * @param quick whether speed matters more than completeness
 * @param rounds how many windows are measured for each policy
 * @param windowMillis length of the windows
 * @param series how many series are active, of the RFC's shape
 * @param times how many times as many are active in further loads, of one window each
 * @param warmupMillis how long a load goes on before it is measured
 * @param probesPerSecond how often the lag is taken
 * @param lastProbeMillis how long to wait for the last of them
 * @param spendMillis how long a limit is offered more than it allows; 0 to leave that out
 * @param cells how many active cells a node has whose tick is measured
 * @param ticks how often it is measured for each share of changed cells
 * @param connections how many connections write or read as fast as they can, for each measurement
 * @param ceilingMillis how long they do
 * @param databaseTimes how many times the load of the shape the database alone is given
 */
record GlobalSettings(
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

  /** How many windows are active at peak, by the RFC. */
  private static final int ACTIVE = 24_000;

  static GlobalSettings full(int rounds) {
    return new GlobalSettings(
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

  /**
   * A fifteenth of the series in windows of a fifteenth: as many requests and rows a second, and a
   * window is over soon.
   */
  static GlobalSettings quick(int rounds) {
    return new GlobalSettings(
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
