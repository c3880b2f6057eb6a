package io.tidegate.benchmarks.global;

import static io.tidegate.report.Format.COUNT;

import java.util.Map;

/** Load on the database that the reference design expects; written and read rows are per second. */
record Expectation(Range rowsWritten, Range rowsRead, Range liveRows) {

  record Range(int least, int most) {

    Range times(int times) {
      return new Range(times * least, times * most);
    }

    @Override
    public String toString() {
      return COUNT.of(least) + " to " + COUNT.of(most);
    }
  }

  static final String LABEL = "the reference design expects";

  private static final Expectation SHAPE =
      new Expectation(new Range(600, 6_000), new Range(5_000, 15_000), new Range(1_500, 4_500));

  private static final Expectation TEN_TIMES = new Expectation(
      new Range(5_000, 60_000), new Range(50_000, 150_000), new Range(15_000, 45_000));

  /** One per node in ten seconds. */
  private static final String STATEMENTS = "3.3";

  /** For a multiple of the reference fleet: as stated for 1 and 10, in proportion for others. */
  static Expectation times(int times) {
    return times == 10
        ? TEN_TIMES
        : new Expectation(
            SHAPE.rowsWritten.times(times),
            SHAPE.rowsRead.times(times),
            SHAPE.liveRows.times(times));
  }

  /** Cells by the headings of the report. */
  Map<String, String> cells() {
    return Map.of(
        "INSERTs/s",
        STATEMENTS,
        "SELECTs/s",
        STATEMENTS,
        "rows written/s",
        rowsWritten.toString(),
        "rows read/s",
        rowsRead.toString(),
        "lag p99, s",
        "up to 20", // one interval until the push, one until the pull
        "live rows",
        liveRows.toString());
  }
}
