package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrialLedgerTest {

  private static final long LIMIT = 500;
  private static final long WINDOW = 60_000;

  private final RequestSchedule schedule =
      new RequestSchedule(TrafficPattern.EVEN, Fixtures.small(), 0.001, new Random(1));
  private final TrialLedger ledger = new TrialLedger(schedule);

  /** Records a decision, some milliseconds after the start. */
  private void decide(boolean allowed, long afterMillis, long cost) {
    long nowNanos = schedule.begin + afterMillis * 1_000_000;
    long nowMillis = nowNanos / 1_000_000;
    long end = (nowMillis / WINDOW + 1) * WINDOW;
    Decision decision = new Decision(
        allowed, LIMIT, 0, end, allowed ? 0 : 1, allowed ? LIMIT : LIMIT + 1, Source.LOCAL, false);
    ledger.decided(nowNanos, nowMillis, cost, decision);
  }

  private TrialResult result() {
    return ledger.result(0, 0, new PropagationLag(Fixtures.small()));
  }

  @Test
  void worstIsOverAnyWindowLength() {
    decide(true, 50_000, 300);
    decide(true, 70_000, 400);
    decide(true, 109_999, 50);
    decide(true, 110_000, 10); // the first ones are a window old
    assertThat(result().worst()).isEqualTo(750.0 / LIMIT);
  }

  @Test
  void meanIsOverTheWorstOfEachWindow() {
    decide(true, 10_000, 300);
    decide(true, 75_000, 200);
    decide(true, 136_000, 100);
    assertThat(result().meanWorst()).isCloseTo(600.0 / 3 / LIMIT, within(1e-9));
  }

  @Test
  void countsRequestsAndDenials() {
    decide(true, 0, 400);
    decide(false, 1_000, 101);
    decide(false, 1_000, 100);
    assertThat(result().requests()).isEqualTo(3);
    assertThat(result().denied()).isEqualTo(2);
    assertThat(result().wronglyDenied()).isEqualTo(1);
  }
}
