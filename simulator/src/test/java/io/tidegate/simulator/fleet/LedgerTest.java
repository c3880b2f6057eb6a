package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.model.Decision;
import io.tidegate.simulator.world.Node;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final FleetTraffic TRAFFIC = new FleetTraffic(FleetSize.ONE, FleetTraffic.DEAL, 1);
  private static final int SERIES = hotWithLimit(20);
  private static final int WINDOW = FleetTraffic.WINDOW_MILLIS;

  private final Ledger ledger = new Ledger(TRAFFIC);

  private static int hotWithLimit(int limit) {
    int series = 0;
    while (TRAFFIC.ofSeries(series).limit() != limit || TRAFFIC.askedPerWindow(series) < 20) {
      series++;
    }
    return series;
  }

  private void decide(long millis, boolean allowed) {
    long now = Node.EPOCH_MILLIS + millis;
    long reset = now - Math.floorMod(now, WINDOW) + WINDOW;
    ledger.decided(
        SERIES,
        now,
        millis * 1_000_000,
        new Decision(allowed, 20, 0, reset, allowed ? 0 : 1, 20, Decision.Source.LOCAL, false));
  }

  @Test
  void findsTheWorstWindowWhereverItBegins() {
    ledger.measure();
    for (int i = 0; i < 10; i++) {
      decide(50_000 + i, true);
    }
    for (int i = 0; i < 8; i++) {
      decide(109_000 + i, true);
    }
    decide(110_005, true); // by now, six of the first are out of it
    assertThat(ledger.worst(SERIES)).isEqualTo(18 / 20.0, within(1e-9));
    assertThat(ledger.decisions()).isEqualTo(19);
  }

  @Test
  void forgetsWhatIsOlderThanAWindow() {
    ledger.measure();
    for (int window = 0; window < 50; window++) {
      for (int i = 0; i < 15; i++) {
        decide(window * 60_000L + i, true);
      }
    }
    assertThat(ledger.worst(SERIES)).isEqualTo(15 / 20.0, within(1e-9));
  }

  @Test
  void whatWasAdmittedBeforeItMeasuresIsInTheWindowAndNotAFigure() {
    for (int i = 0; i < 15; i++) {
      decide(i, true);
    }
    ledger.measure();
    assertThat(ledger.worst(SERIES)).isZero();
    decide(100, true);
    assertThat(ledger.worst(SERIES)).isEqualTo(16 / 20.0, within(1e-9));
    assertThat(ledger.decisions()).isEqualTo(1);
  }

  @Test
  void aDenialIsWrongIfTheLimitHadRoom() {
    ledger.measure();
    for (int i = 0; i < 19; i++) {
      decide(i, true);
    }
    decide(100, false);
    assertThat(ledger.wrongDenials()).isEqualTo(1);
    decide(101, true);
    decide(102, false);
    assertThat(ledger.wrongDenials()).isEqualTo(1);
    assertThat(ledger.denials()).isEqualTo(2);
  }

  @Test
  void thePreviousWindowWeighsAsFarAsItReaches() {
    ledger.measure();
    for (int i = 0; i < 20; i++) {
      decide(i, true);
    }
    decide(61_000, false); // 19 of the previous, and one
    assertThat(ledger.wrongDenials()).isEqualTo(1);
    decide(61_001, true);
    decide(61_002, false);
    assertThat(ledger.wrongDenials()).isEqualTo(1);
    decide(180_000, false); // two windows later there is nothing
    assertThat(ledger.wrongDenials()).isEqualTo(2);
  }
}
