package io.tidegate.simulator.spread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The targets, in a world that is small enough for a build. */
class TrialTest {

  private static final Settings SETTINGS =
      new Settings(4, 2, 500, 7, true, List.of(), List.of(), List.of(), false);

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
  void tellingToTheTokenTakesMoreRowsForLittle() {
    Outcome before = run(Traffic.TWO_REGIONS, 2, Policy.toTheToken(Duration.ofSeconds(1)));
    Outcome now = run(Traffic.TWO_REGIONS, 2, Policy.ADAPTIVE);
    assertThat(now.rowsWritten()).isLessThan(0.5 * before.rowsWritten());
    assertThat(now.admission().worst()).isLessThan(before.admission().worst() + 0.02);
  }

  @Test
  void oneRegionAloneTakesFewRows() {
    assertThat(run(Traffic.ONE_REGION, 1, Policy.ADAPTIVE).rowsWritten()).isBetween(3.0, 6.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"OVERSIZED", "BLEED_IN"})
  void verdictsDenyWhomCountsAdmit(Traffic traffic) {
    for (Policy policy : List.of(Policy.BLOCKLIST, Policy.FLOOR, Policy.ADAPTIVE)) {
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
    Ledger.Admission admission = run(traffic, 5, Policy.ADAPTIVE).admission();
    assertThat(admission.denied()).isPositive();
    assertThat(admission.wronglyDenied()).isZero();
  }

  @Test
  void tellingTakesAboutAnInterval() {
    Outcome.Telling telling = run(Traffic.EVEN, 10, Policy.ADAPTIVE).telling();
    assertThat(telling).isNotNull();
    assertThat(telling.untold()).isLessThan(0.02); // what all may keep back
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
