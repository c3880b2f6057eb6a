package io.tidegate.simulator.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.simulator.world.Node;
import org.junit.jupiter.api.Test;

class AdmissionLedgerTest {

  private static final long WINDOW = 60_000;
  private static final long LIMIT = 20;

  private final AdmissionLedger ledger = new AdmissionLedger(WINDOW, 1);

  private static Decision decision(long millis, boolean allowed) {
    long now = Node.EPOCH_MILLIS + millis;
    long reset = now - Math.floorMod(now, WINDOW) + WINDOW;
    return new Decision(
        allowed, LIMIT, 0, reset, allowed ? 0 : 1, LIMIT, Decision.Source.LOCAL, false);
  }

  private long admit(long millis, long cost) {
    return ledger.admit(decision(millis, true), cost, millis * 1_000_000);
  }

  private boolean isWronglyDenied(long millis, long cost) {
    return ledger.isWronglyDenied(decision(millis, false), cost, Node.EPOCH_MILLIS + millis);
  }

  @Test
  void sumsTheTokensOfTheLastWindowLength() {
    admit(50_000, 3);
    admit(70_000, 4);
    assertThat(admit(109_999, 5)).isEqualTo(12);
    assertThat(admit(110_000, 1)).as("the first ones are a window old").isEqualTo(10);
  }

  @Test
  void keepsAnyNumberOfAdmissions() {
    for (int window = 0; window < 50; window++) {
      for (int i = 1; i <= 100; i++) {
        assertThat(admit(window * WINDOW + i, 1)).isEqualTo(window == 0 ? i : 100);
      }
    }
  }

  @Test
  void growsWhenItsFirstAdmissionIsNotAtTheStartOfTheBuffer() {
    for (int i = 0; i < 10; i++) {
      admit(i, 1);
    }
    for (int i = 0; i < 40; i++) {
      assertThat(admit(WINDOW + 4 + i, 1)).isEqualTo(i < 5 ? 6 : i + 1);
    }
  }

  @Test
  void timesAreAsPreciseAsItsResolution() {
    AdmissionLedger coarse = new AdmissionLedger(WINDOW, 1_000_000);
    coarse.admit(decision(0, true), 1, 900_000);
    assertThat(coarse.admit(decision(WINDOW, true), 1, WINDOW * 1_000_000 + 100_000))
        .isEqualTo(1);
  }

  @Test
  void aDenialIsWrongIfTheLimitHasRoom() {
    admit(0, 15);
    assertThat(isWronglyDenied(100, 5)).isTrue();
    assertThat(isWronglyDenied(100, 6)).isFalse();
  }

  @Test
  void thePreviousWindowWeighsByItsOverlap() {
    admit(0, 20);
    assertThat(isWronglyDenied(75_000, 5)).as("three quarters are 15").isTrue();
    assertThat(isWronglyDenied(75_000, 6)).isFalse();
    assertThat(isWronglyDenied(180_000, 20)).as("two windows later").isTrue();
  }
}
