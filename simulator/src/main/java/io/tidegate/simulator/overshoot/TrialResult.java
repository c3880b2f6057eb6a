package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import org.jspecify.annotations.Nullable;

/**
 * The result of a trial.
 *
 * @param decisions summary of the decisions
 * @param exchange cost and speed of sharing; null for a single counter, which shares nothing
 */
record TrialResult(Decisions decisions, @Nullable Exchange exchange) {

  /**
   * A summary of decisions.
   *
   * @param requests number of requests
   * @param denied number of denials
   * @param wronglyDenied denials that a single counter would not have made
   * @param worst most tokens admitted within any window length, divided by the limit
   * @param meanWorst mean over all windows of the same figure for each window
   */
  record Decisions(
      long requests, long denied, long wronglyDenied, double worst, double meanWorst) {}

  /**
   * Rows and lag of sharing.
   *
   * @param rowsWritten rows written to the database per window
   * @param rowsRead rows read from it by all nodes per window
   * @param lagSeconds time until a node of another region received a token; null if none did
   * @param neverReceived fraction of tokens that it never received
   */
  record Exchange(
      double rowsWritten,
      double rowsRead,
      @Nullable Percentiles lagSeconds,
      double neverReceived) {}

  double worst() {
    return decisions.worst;
  }

  /** Rows written per window; 0 if nothing is shared. */
  double rowsWritten() {
    return exchange == null ? 0 : exchange.rowsWritten;
  }
}
