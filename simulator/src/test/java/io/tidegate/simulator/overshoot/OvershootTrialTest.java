package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The targets, in a world that is small enough for a build. */
class OvershootTrialTest {

  private static final OvershootSettings SETTINGS =
      new OvershootSettings(4, 2, 500, 7, true, List.of(), List.of(), List.of(), false);

  private static TrialResult run(TrafficPattern pattern, double load, Approach approach) {
    return OvershootTrial.run(SETTINGS, new Case(pattern, load, approach));
  }

  private static double worst(TrafficPattern pattern, double load, Approach approach) {
    return run(pattern, load, approach).worst();
  }

  @Test
  void adaptiveHoldsALimitThatAllRegionsUse() {
    assertThat(worst(TrafficPattern.EVEN, 2, SharingPolicy.ADAPTIVE)).isBetween(1.0, 1.10);
    assertThat(worst(TrafficPattern.EVEN, 10, SharingPolicy.ADAPTIVE)).isBetween(1.0, 1.10);
  }

  @Test
  void evenTrafficStaysBelowAFloorUnnoticed() {
    assertThat(worst(TrafficPattern.EVEN, 2, SharingPolicy.FLOOR)).isGreaterThan(1.9);
  }

  @Test
  void pushingToTheTokenWritesMoreRowsForLittle() {
    TrialResult before = run(TrafficPattern.TWO_REGIONS, 2, SharingPolicy.toTheToken(0.25));
    TrialResult now = run(TrafficPattern.TWO_REGIONS, 2, SharingPolicy.ADAPTIVE);
    assertThat(now.rowsWritten()).isLessThan(0.5 * before.rowsWritten());
    assertThat(now.worst()).isLessThan(before.worst() + 0.02);
  }

  /** A mean of several seeds: two nodes whose rounds coincide push most counts twice. */
  @Test
  void oneRegionWritesFewRows() {
    double mean = LongStream.of(1, 2, 7, 8)
        .mapToObj(seed ->
            new OvershootSettings(4, 2, 500, seed, true, List.of(), List.of(), List.of(), false))
        .map(settings -> OvershootTrial.run(
            settings, new Case(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE)))
        .mapToDouble(TrialResult::rowsWritten)
        .average()
        .orElseThrow();
    assertThat(mean).isBetween(3.0, 6.5);
  }

  @ParameterizedTest
  @EnumSource(names = {"OVERSIZED", "BLEED_IN"})
  void sharedDenialsDenyWronglyAndSharedCountsDoNot(TrafficPattern pattern) {
    for (SharingPolicy policy :
        List.of(SharingPolicy.BLOCKLIST, SharingPolicy.FLOOR, SharingPolicy.ADAPTIVE)) {
      long wrong = run(pattern, pattern.loads(SETTINGS).get(0), policy).wronglyDenied();
      if (policy.sharesCounts()) {
        assertThat(wrong).as(policy.label()).isZero();
      } else {
        assertThat(wrong).as(policy.label()).isGreaterThan(100);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TWO_REGIONS", "ZIPF", "JOINS_LATE", "BURST", "ATTACKER", "TEN_SECONDS"})
  void sharedCountsNeverDenyWrongly(TrafficPattern pattern) {
    TrialResult result = run(pattern, 5, SharingPolicy.ADAPTIVE);
    assertThat(result.denied()).isPositive();
    assertThat(result.wronglyDenied()).isZero();
  }

  @Test
  void tokensArriveAfterAboutAnInterval() {
    TrialResult result = run(TrafficPattern.EVEN, 10, SharingPolicy.ADAPTIVE);
    assertThat(result.neverReceived()).isLessThan(0.02); // the policy may leave as much unpushed
    assertThat(result.lagSeconds().p50()).isBetween(0.1, 0.8);
  }

  @Test
  void isolatedRegionsAdmitALimitEach() {
    TrialResult result = run(TrafficPattern.EVEN, 10, SharingPolicy.ISOLATED);
    assertThat(result.worst()).isBetween(4.0, 4.3);
    assertThat(result.rowsWritten()).isZero();
  }

  @Test
  void aBlocklistSharesNoCounts() {
    TrialResult result = run(TrafficPattern.EVEN, 10, SharingPolicy.BLOCKLIST);
    assertThat(result.lagSeconds().p50()).isNaN();
    assertThat(result.rowsWritten()).isPositive();
  }

  @Test
  void aSeedDeterminesTheResult() {
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
    assertThat(OvershootTrial.run(other, new Case(TrafficPattern.ZIPF, 2, SharingPolicy.ADAPTIVE)))
        .isNotEqualTo(run(TrafficPattern.ZIPF, 2, SharingPolicy.ADAPTIVE));
  }
}
