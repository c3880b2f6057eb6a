package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;

/**
 * The result of a trial. A single counter has no rows and no lag, but NaN.
 *
 * @param wronglyDenied denials that a single counter would not have made
 * @param worst most tokens admitted within any window length, divided by the limit
 * @param meanWorst mean over all windows of the same figure for each window
 * @param rowsWritten rows written to the database per window
 * @param rowsRead rows read from it by all nodes per window
 * @param lagSeconds time until a node of another region received a token
 * @param neverReceived fraction of tokens that it never received
 */
record TrialResult(
    long requests,
    long denied,
    long wronglyDenied,
    double worst,
    double meanWorst,
    double rowsWritten,
    double rowsRead,
    Percentiles lagSeconds,
    double neverReceived) {}
