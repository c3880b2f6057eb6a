package io.tidegate.simulator.spread;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Verdict;
import io.tidegate.simulator.spread.SpreadFigures.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpreadTargetsTest {

  private static final Settings SETTINGS = Fixtures.small();

  private static SpreadTargets targets(Map<Case, Outcome> others) {
    return new SpreadTargets(SETTINGS, Fixtures.figures(SETTINGS, others));
  }

  private static Case adaptive(Traffic traffic, double load) {
    return new Case(traffic, load, Policy.ADAPTIVE);
  }

  @Test
  void areMetByGoodFigures() {
    assertThat(targets(Map.of()).verdicts()).hasSize(4).allMatch(Verdict::met);
    assertThat(targets(Map.of()).whereWeLose()).isEmpty();
  }

  @Test
  void excessIsToldByItsLoad() {
    SpreadTargets targets = targets(Map.of(
        adaptive(Traffic.EVEN, 2), Fixtures.outcome(1.101, 0, 5),
        adaptive(Traffic.EVEN, 10), Fixtures.outcome(1.34, 0, 5)));
    assertThat(targets.verdicts())
        .contains(
            new Verdict(
                "adaptive, even over all regions 2x: at most 1.10 times the limit", false, "1.11"),
            new Verdict(
                "adaptive, even over all regions 10x: at most 1.35 times the limit", true, "1.34"));
  }

  @Test
  void oneWrongDenialIsTooMany() {
    SpreadTargets targets =
        targets(Map.of(adaptive(Traffic.ZIPF, 5), Fixtures.outcome(1.01, 1, 5)));
    assertThat(targets.verdicts()).filteredOn(verdict -> !verdict.met()).hasSize(1);
  }

  @Test
  void wrongDenialsOfVerdictsAreNotOurs() {
    SpreadTargets targets = targets(
        Map.of(new Case(Traffic.ZIPF, 5, Policy.BLOCKLIST), Fixtures.outcome(1.01, 999, 5)));
    assertThat(targets.verdicts()).allMatch(Verdict::met);
  }

  @Test
  void rowsOfOneRegionAreBounded() {
    SpreadTargets targets =
        targets(Map.of(adaptive(Traffic.ONE_REGION, 1), Fixtures.outcome(1.01, 0, 6.1)));
    assertThat(targets.verdicts())
        .contains(new Verdict(
            "adaptive, one region 1x: at most 6 rows written per window", false, "6.1"));
  }

  @Test
  void losesWhereAnotherIsMoreAccurateOrWritesLess() {
    SpreadTargets targets = targets(Map.of(
        adaptive(Traffic.BURST, 10),
        Fixtures.outcome(4.745, 0, 21),
        new Case(Traffic.BURST, 10, Policy.FLOOR),
        Fixtures.outcome(9.8, 0, 4)));
    assertThat(targets.whereWeLose())
        .containsExactly(
            "a burst 10x: 4.75 times the limit, 1.00 with one counter for all",
            "a burst 10x: 21.0 rows written, 4.0 with floor 0.5, 10 s, for 9.80 times the limit instead of 4.75");
  }

  @Test
  void whatWasNotSimulatedIsNotHeldTo() {
    Settings few = Fixtures.small(List.of(Traffic.ZIPF), List.of(3.0), List.of(Policy.FLOOR));
    SpreadTargets targets = new SpreadTargets(few, Fixtures.figures(few, Map.of()));
    assertThat(targets.verdicts()).hasSize(1);
    assertThat(targets.whereWeLose()).isEmpty();
  }
}
