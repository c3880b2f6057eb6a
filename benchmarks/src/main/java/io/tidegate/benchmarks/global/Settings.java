package io.tidegate.benchmarks.global;

import java.util.List;

/**
 * Extent of a run.
 *
 * @param rounds measured windows of each policy
 * @param series active series of the reference fleet
 * @param fleets multiples of the reference fleet; more than one is measured in one window and with
 *     the default policy
 * @param ticks measured ticks for each share of changed cells
 * @param connections numbers of connections that write or read as fast as they can
 * @param callMillis length of each measurement of the database alone
 * @param databaseTimes multiples of the reference fleet for the database alone
 */
record Settings(
    boolean quick,
    int rounds,
    int windowMillis,
    int series,
    List<Integer> fleets,
    int ticks,
    List<Integer> connections,
    int callMillis,
    List<Integer> databaseTimes) {

  /** Active series of the reference system at peak. */
  private static final int ACTIVE = 24_000;

  /** Active cells of the node whose ticks are measured. */
  static final int CELLS = 10 * ACTIVE;

  static Settings full(int rounds) {
    List<Integer> fleets = List.of(1, 3, 10);
    List<Integer> connections = List.of(1, 2, 4, 8);
    List<Integer> calls = List.of(1, 3, 10, 20, 40);
    return new Settings(false, rounds, 60_000, ACTIVE, fleets, 9, connections, 4_000, calls);
  }

  /** A fifteenth of the series in windows of a fifteenth: as many requests and rows per second. */
  static Settings quick(int rounds) {
    List<Integer> one = List.of(1);
    return new Settings(true, rounds, 4_000, ACTIVE / 15, one, 3, List.of(1, 4), 1_000, one);
  }
}
