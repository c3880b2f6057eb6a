package io.tidegate.simulator.spread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The targets, in a world that is small enough for a build. */
class TrialTest {

  private static final Settings SETTINGS = Fixtures.small();

  private static Outcome run(Traffic traffic, double load, Contender contender) {
    return contender.run(SETTINGS, traffic, load);
  }

  private static double worst(Traffic traffic, double load, Contender contender) {
    return run(traffic, load, contender).admission().worst();
  }

  @Test
  void adaptiveHoldsALimitThatAllRegionsUse() {
    assertThat(worst(Traffic.EVEN, 2, Policy.ADAPTIVE)).isBetween(1.0, 1.10);
    assertThat(worst(Traffic.EVEN, 10, Policy.ADAPTIVE)).isBetween(1.0, 1.35);
  }

  @Test
  void aFloorIsPassedUnseenByWhoSpreads() {
    assertThat(worst(Traffic.EVEN, 2, Policy.FLOOR)).isGreaterThan(1.9);
  }

  @Test
  void oneRegionAloneTakesFewRows() {
    assertThat(run(Traffic.ONE_REGION, 1, Policy.ADAPTIVE).rowsWritten()).isBetween(3.0, 6.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"OVERSIZED", "BLEED_IN"})
  void verdictsDenyWhomCountsAdmit(Traffic traffic) {
    for (Policy policy : Policy.ALL) {
      long wrong = run(traffic, traffic.ownLoad(), policy).admission().wronglyDenied();
      if (policy.tells()) {
        assertThat(wrong).as(policy.label()).isZero();
      } else {
        assertThat(wrong).as(policy.label()).isGreaterThan(100);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TWO_REGIONS", "ZIPF", "JOINS_LATE", "BURST", "ATTACKER", "TEN_SECONDS"})
  void countsNeverDenyWrongly(Traffic traffic) {
    for (Policy policy : List.of(Policy.REMOTE_AWARE, Policy.ADAPTIVE)) {
      Ledger.Admission admission = run(traffic, 5, policy).admission();
      assertThat(admission.denied()).as(policy.label()).isPositive();
      assertThat(admission.wronglyDenied()).as(policy.label()).isZero();
    }
  }

  @Test
  void tellingTakesAboutAnInterval() {
    Outcome.Telling telling = run(Traffic.EVEN, 10, Policy.ADAPTIVE).telling();
    assertThat(telling).isNotNull();
    assertThat(telling.untold()).isZero();
    assertThat(telling.lagSeconds()).isNotNull();
    assertThat(telling.lagSeconds().p50()).isBetween(0.3, 2.0);
  }

  @Test
  void verdictsTellNoCounts() {
    Outcome.Telling telling = run(Traffic.EVEN, 10, Policy.BLOCKLIST).telling();
    assertThat(telling).isNotNull();
    assertThat(telling.lagSeconds()).isNull();
    assertThat(telling.rowsWritten()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSame() {
    assertThat(run(Traffic.ZIPF, 2, Policy.ADAPTIVE))
        .isEqualTo(run(Traffic.ZIPF, 2, Policy.ADAPTIVE));
    Settings other = new Settings(
        SETTINGS.regions(),
        SETTINGS.nodes(),
        SETTINGS.limit(),
        8,
        true,
        List.of(),
        List.of(),
        List.of(),
        false);
    assertThat(Policy.ADAPTIVE.run(other, Traffic.ZIPF, 2))
        .isNotEqualTo(run(Traffic.ZIPF, 2, Policy.ADAPTIVE));
  }
}
