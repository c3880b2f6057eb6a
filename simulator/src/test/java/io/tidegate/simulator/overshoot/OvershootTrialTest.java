package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The targets, in a world that is small enough for a build. */
class OvershootTrialTest {

  private static final OvershootSettings SETTINGS =
      new OvershootSettings(4, 2, 500, 7, true, List.of(), List.of(), List.of(), false);

  private static TrialResult run(TrafficPattern traffic, double load, Approach approach) {
    return approach.run(SETTINGS, traffic, load);
  }

  private static double worst(TrafficPattern traffic, double load, Approach approach) {
    return run(traffic, load, approach).admission().worst();
  }

  @Test
  void adaptiveHoldsALimitThatAllRegionsUse() {
    assertThat(worst(TrafficPattern.EVEN, 2, SharingPolicy.ADAPTIVE)).isBetween(1.0, 1.10);
    assertThat(worst(TrafficPattern.EVEN, 10, SharingPolicy.ADAPTIVE)).isBetween(1.0, 1.35);
  }

  @Test
  void aFloorIsPassedUnseenByWhoSpreads() {
    assertThat(worst(TrafficPattern.EVEN, 2, SharingPolicy.FLOOR)).isGreaterThan(1.9);
  }

  @Test
  void tellingToTheTokenTakesMoreRowsForLittle() {
    TrialResult before =
        run(TrafficPattern.TWO_REGIONS, 2, SharingPolicy.toTheToken(Duration.ofSeconds(1)));
    TrialResult now = run(TrafficPattern.TWO_REGIONS, 2, SharingPolicy.ADAPTIVE);
    assertThat(now.rowsWritten()).isLessThan(0.5 * before.rowsWritten());
    assertThat(now.admission().worst()).isLessThan(before.admission().worst() + 0.02);
  }

  @Test
  void oneRegionAloneTakesFewRows() {
    assertThat(run(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE).rowsWritten())
        .isBetween(3.0, 6.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"OVERSIZED", "BLEED_IN"})
  void verdictsDenyWhomCountsAdmit(TrafficPattern traffic) {
    for (SharingPolicy policy :
        List.of(SharingPolicy.BLOCKLIST, SharingPolicy.FLOOR, SharingPolicy.ADAPTIVE)) {
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
  void countsNeverDenyWrongly(TrafficPattern traffic) {
    Ledger.Admission admission = run(traffic, 5, SharingPolicy.ADAPTIVE).admission();
    assertThat(admission.denied()).isPositive();
    assertThat(admission.wronglyDenied()).isZero();
  }

  @Test
  void tellingTakesAboutAnInterval() {
    TrialResult.Telling telling =
        run(TrafficPattern.EVEN, 10, SharingPolicy.ADAPTIVE).telling();
    assertThat(telling).isNotNull();
    assertThat(telling.untold()).isLessThan(0.02); // what all may keep back
    assertThat(telling.lagSeconds()).isNotNull();
    assertThat(telling.lagSeconds().p50()).isBetween(0.3, 2.0);
  }

  @Test
  void verdictsTellNoCounts() {
    TrialResult.Telling telling =
        run(TrafficPattern.EVEN, 10, SharingPolicy.BLOCKLIST).telling();
    assertThat(telling).isNotNull();
    assertThat(telling.lagSeconds()).isNull();
    assertThat(telling.rowsWritten()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSame() {
    assertThat(run(TrafficPattern.ZIPF, 2, SharingPolicy.ADAPTIVE))
        .isEqualTo(run(TrafficPattern.ZIPF, 2, SharingPolicy.ADAPTIVE));
    OvershootSettings other = new OvershootSettings(
        SETTINGS.regions(),
        SETTINGS.nodes(),
        SETTINGS.limit(),
        8,
        true,
        List.of(),
        List.of(),
        List.of(),
        false);
    assertThat(SharingPolicy.ADAPTIVE.run(other, TrafficPattern.ZIPF, 2))
        .isNotEqualTo(run(TrafficPattern.ZIPF, 2, SharingPolicy.ADAPTIVE));
  }
}
