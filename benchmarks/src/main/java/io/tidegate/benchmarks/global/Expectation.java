package io.tidegate.benchmarks;

import io.tidegate.report.Words;
import java.util.List;

/** What the RFC expects of the database; rows that are written and read, a second. */
record GlobalExpectation(
    int fewestRowsWritten,
    int mostRowsWritten,
    int fewestRowsRead,
    int mostRowsRead,
    int fewestLiveRows,
    int mostLiveRows) {

  static final GlobalExpectation SHAPE =
      new GlobalExpectation(600, 6_000, 5_000, 15_000, 1_500, 4_500);

  private static final GlobalExpectation TEN_TIMES =
      new GlobalExpectation(5_000, 60_000, 50_000, 150_000, 15_000, 45_000);

  /** One of each per node in ten seconds. */
  static final String STATEMENTS = "3.3";

  /** Two intervals: one until the push, one until the pull. */
  static final String LAG = "up to 20 s";

  /** For so many times the shape: what it says of ten times, and in proportion for others. */
  static GlobalExpectation times(int times) {
    return times == 10
        ? TEN_TIMES
        : new GlobalExpectation(
            times * SHAPE.fewestRowsWritten,
            times * SHAPE.mostRowsWritten,
            times * SHAPE.fewestRowsRead,
            times * SHAPE.mostRowsRead,
            times * SHAPE.fewestLiveRows,
            times * SHAPE.mostLiveRows);
  }

  /** In the order of the report's columns. */
  List<String> traffic() {
    return List.of(
        Words.UNMEASURED,
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
