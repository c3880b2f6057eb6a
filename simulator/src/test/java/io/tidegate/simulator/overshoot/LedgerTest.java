package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final long LIMIT = 500;
  private static final long WINDOW = 60_000;

  private final RequestSchedule plan =
      TrafficPattern.EVEN.plan(Fixtures.small(), 0.001, new Random(1));
  private final Ledger ledger = new Ledger(plan);

  /** A decision, so many milliseconds after the beginning. */
  private void decide(boolean allowed, long afterMillis, long cost) {
    long nowNanos = plan.begin() + afterMillis * 1_000_000;
    long nowMillis = nowNanos / 1_000_000;
    long end = (nowMillis / WINDOW + 1) * WINDOW;
    Decision decision = new Decision(
        allowed, LIMIT, 0, end, allowed ? 0 : 1, allowed ? LIMIT : LIMIT + 1, Source.LOCAL, false);
    ledger.note(nowNanos, nowMillis, cost, decision);
  }

  @Test
  void worstIsOfAnyTimeAsLongAsAWindow() {
    decide(true, 50_000, 300);
    decide(true, 70_000, 400);
    decide(true, 109_999, 50);
    decide(true, 110_000, 10); // the first are over by now
    assertThat(ledger.admission().worst()).isEqualTo(750.0 / LIMIT);
  }

  @Test
  void meanIsOfTheWorstOfEachWindow() {
    decide(true, 10_000, 300);
    decide(true, 75_000, 200);
    decide(true, 136_000, 100);
    assertThat(ledger.admission().mean()).isCloseTo(600.0 / 3 / LIMIT, within(1e-9));
  }

  @Test
  void aDenialIsWrongIfTheTruthHasRoom() {
    decide(true, 0, 400);
    decide(false, 1_000, 101);
    assertThat(ledger.admission().wronglyDenied()).isZero();
    decide(false, 1_000, 100);
    assertThat(ledger.admission().wronglyDenied()).isEqualTo(1);
    assertThat(ledger.admission().denied()).isEqualTo(2);
    assertThat(ledger.admission().asked()).isEqualTo(3);
  }

  @Test
  void theWindowBeforeWeighsByWhatIsLeftOfIt() {
    decide(true, 0, 400);
    decide(false, 75_000, 201); // three quarters are 300
    assertThat(ledger.admission().wronglyDenied()).isZero();
    decide(false, 75_000, 200);
    assertThat(ledger.admission().wronglyDenied()).isEqualTo(1);
  }
}
