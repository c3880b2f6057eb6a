package io.tidegate.simulator.overshoot;

import io.tidegate.model.Decision;
import io.tidegate.simulator.common.AdmissionLedger;
import java.util.Arrays;
import java.util.LongSummaryStatistics;

/** Summarizes the decisions of a trial. */
final class TrialLedger {

  private final RequestSchedule schedule;
  private final AdmissionLedger ledger;

  /** Most tokens within a window length, for each window in which the last of them came. */
  private final long[] peaks;

  private long requests;
  private long denied;
  private long wronglyDenied;

  TrialLedger(RequestSchedule schedule) {
    this.schedule = schedule;
    this.ledger = new AdmissionLedger(schedule.windowNanos / 1_000_000, 1);
    this.peaks = new long[schedule.windows];
  }

  /** Records a decision that was made at a time in nanoseconds, on a request at another time. */
  void decided(long nowNanos, long requestMillis, long cost, Decision decision) {
    requests++;
    if (decision.allowed()) {
      long trailing = ledger.admit(decision, cost, nowNanos);
      long elapsed = (nowNanos - schedule.begin) / schedule.windowNanos;
      int window = (int) Math.min(elapsed, peaks.length - 1);
      peaks[window] = Math.max(peaks[window], trailing);
    } else {
      denied++;
      wronglyDenied += ledger.isWronglyDenied(decision, cost, requestMillis) ? 1 : 0;
    }
  }

  /** The sequence of the cell in which a decision was made. */
  long sequence(Decision decision) {
    return ledger.sequence(decision);
  }

  /** The result of a trial with these rows per window. */
  TrialResult result(double written, double read, PropagationLag lag) {
    LongSummaryStatistics worst = Arrays.stream(peaks).summaryStatistics();
    double limit = schedule.limit;
    return new TrialResult(
        requests,
        denied,
        wronglyDenied,
        worst.getMax() / limit,
        worst.getAverage() / limit,
        written,
        read,
        lag.seconds(),
        lag.neverReceived());
  }
}
