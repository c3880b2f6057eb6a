package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import org.jspecify.annotations.Nullable;

/**
 * What became of a trial.
 *
 * @param admission how decisions were
 * @param telling what it took to tell, null if there was nobody to tell
 */
record TrialResult(Ledger.Admission admission, @Nullable Telling telling) {

  /**
   * What was told, and how fast.
   *
   * @param rowsWritten rows that were written to the database, per window
   * @param rowsRead rows that were read from it by all nodes, per window
   * @param lagSeconds until a node of another region was told of a token; null if none was
   * @param untold the part of all tokens that it never was told of
   */
  record Telling(
      double rowsWritten, double rowsRead, @Nullable Percentiles lagSeconds, double untold) {}

  /** Rows that were written per window; 0 if there was nobody to tell. */
  double rowsWritten() {
    return telling == null ? 0 : telling.rowsWritten;
  }
}
