package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OvershootTargetsTest {

  private static final OvershootSettings SETTINGS = Fixtures.small();

  private static OvershootReport targets(Map<Case, TrialResult> others) {
    return new OvershootReport(SETTINGS, Fixtures.figures(SETTINGS, others));
  }

  private static Case adaptive(TrafficPattern pattern, double load) {
    return new Case(pattern, load, SharingPolicy.ADAPTIVE);
  }

  @Test
  void areMetByGoodResults() {
    assertThat(targets(Map.of()).targets()).hasSize(7).allMatch(Target::met);
    assertThat(targets(Map.of()).losses()).isEmpty();
  }

  @Test
  void overshootIsBoundedByLoad() {
    OvershootReport targets = targets(Map.of(
        adaptive(TrafficPattern.EVEN, 2), Fixtures.outcome(1.101, 0, 5),
        adaptive(TrafficPattern.BURST, 10), Fixtures.outcome(2.59, 0, 5)));
    assertThat(targets.targets())
        .contains(
            new Target(
                "adaptive, even over all regions 2x: at most 1.10 times the limit", false, "1.11"),
            new Target("adaptive, a burst 10x: at most 2.60 times the limit", true, "2.59"));
  }

  @Test
  void areMissedByOneWrongDenial() {
    OvershootReport targets =
        targets(Map.of(adaptive(TrafficPattern.ZIPF, 5), Fixtures.outcome(1.01, 1, 5)));
    assertThat(targets.targets()).filteredOn(target -> !target.met()).hasSize(1);
  }

  @Test
  void wrongDenialsOfTheBlocklistAreIgnored() {
    OvershootReport targets = targets(Map.of(
        new Case(TrafficPattern.ZIPF, 5, SharingPolicy.BLOCKLIST), Fixtures.outcome(1.01, 999, 5)));
    assertThat(targets.targets()).allMatch(Target::met);
  }

  @Test
  void rowsOfOneRegionAreBounded() {
    OvershootReport targets =
        targets(Map.of(adaptive(TrafficPattern.ONE_REGION, 1), Fixtures.outcome(1.01, 0, 6.6)));
    assertThat(targets.targets())
        .contains(new Target(
            "adaptive, one region 1x: at most 6.5 rows written per window", false, "6.6"));
  }

  @Test
  void losesWhereAnotherHasLessOvershootOrFewerRows() {
    OvershootReport targets = targets(Map.of(
        adaptive(TrafficPattern.BURST, 10),
        Fixtures.outcome(4.745, 0, 21),
        new Case(TrafficPattern.BURST, 10, SharingPolicy.FLOOR),
        Fixtures.outcome(9.8, 0, 4)));
    assertThat(targets.losses())
        .containsExactly(
            "a burst 10x: 4.75 times the limit, 1.00 with one counter for all",
            "a burst 10x: 21.0 rows written, 4.0 with floor 0.5, 10 s, for 9.80 times the limit instead of 4.75");
  }

  @Test
  void trialsThatDidNotRunHaveNoTarget() {
    OvershootSettings few =
        Fixtures.small(List.of(TrafficPattern.ZIPF), List.of(3.0), List.of(SharingPolicy.FLOOR));
    OvershootReport targets = new OvershootReport(few, Fixtures.figures(few, Map.of()));
    assertThat(targets.targets()).hasSize(1);
    assertThat(targets.losses()).isEmpty();
  }
}
