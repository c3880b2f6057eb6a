package io.tidegate.simulator.overshoot;

import io.tidegate.model.Decision;
import io.tidegate.simulator.common.AdmissionLedger;
import io.tidegate.simulator.overshoot.TrialResult.Exchange;
import java.util.Arrays;

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

  TrialResult result(Exchange exchange) {
    double limit = schedule.limit;
    double worst = Arrays.stream(peaks).max().orElseThrow() / limit;
    double meanWorst = Arrays.stream(peaks).average().orElseThrow() / limit;
    return new TrialResult(requests, denied, wronglyDenied, worst, meanWorst, exchange);
  }
}
