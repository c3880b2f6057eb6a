package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalCeiling.Kind;
import io.tidegate.benchmarks.GlobalFigures.Use;
import java.util.function.ToDoubleFunction;

/**
 * How many times the load of a fleet with the default policy a database could carry, reckoned from
 * what it makes at most.
 */
record GlobalLimits(GlobalFigures figures, int series) {

  /** By the CPU that the load takes, if it grew in proportion and the database had one core. */
  double timesPerCore() {
    return 100 / median(Use::databasePercent);
  }

  /** Known rows, since most are. */
  double timesWritten() {
    return figures.highest(Kind.UPDATE).rowsPerSecond() / median(Use::rowsWrittenPerSecond);
  }

  double timesRead() {
    return figures.highest(Kind.PULL).rowsPerSecond() / median(Use::rowsReadPerSecond);
  }

  /** When what one takes, the other lacks. */
  double times() {
    return 1 / (1 / timesWritten() + 1 / timesRead());
  }

  private double median(ToDoubleFunction<Use> figure) {
    return figures.load(GlobalPolicy.ADAPTIVE, series, figure).median();
  }
}
