package io.tidegate.benchmarks;

import java.util.List;

/**
 * What the RFC expects of the database, for the shape that it found and for ten times that.
 *
 * @param times how many times the shape
 * @param mostRowsWritten a second
 */
record GlobalExpectation(
    int times,
    int fewestRowsWritten,
    int mostRowsWritten,
    int fewestRowsRead,
    int mostRowsRead,
    int fewestLiveRows,
    int mostLiveRows) {

  static final GlobalExpectation SHAPE =
      new GlobalExpectation(1, 600, 6_000, 5_000, 15_000, 1_500, 4_500);
  static final GlobalExpectation TEN_TIMES =
      new GlobalExpectation(10, 5_000, 60_000, 50_000, 150_000, 15_000, 45_000);

  /** One of each per node in ten seconds. */
  static final String STATEMENTS = "3.3";

  /** Two intervals: one until the push, one until the pull. */
  static final String LAG = "up to 20 s";

  /** In the order of the report's columns. */
  List<String> traffic() {
    return List.of(
        STATEMENTS,
        range(fewestRowsWritten, mostRowsWritten),
        Words.UNMEASURED,
        STATEMENTS,
        range(fewestRowsRead, mostRowsRead),
        Words.UNMEASURED,
        Words.UNMEASURED,
        Words.UNMEASURED);
  }

  String liveRows() {
    return range(fewestLiveRows, mostLiveRows);
  }

  private static String range(int fewest, int most) {
    return Words.count(fewest) + " to " + Words.count(most);
  }
}
