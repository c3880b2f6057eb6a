package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Verdict;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTargetsTest {

  private static FleetTargets targets(FleetFiguresFixture... fixtures) {
    return new FleetTargets(
        Arrays.stream(fixtures).map(FleetFiguresFixture::figures).toList());
  }

  private static List<String> missed(FleetFiguresFixture... fixtures) {
    return targets(fixtures).verdicts().stream()
        .filter(verdict -> !verdict.met())
        .map(Verdict::target)
        .toList();
  }

  @Test
  void areMetByAFleetThatKeepsItsLimits() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 12))).isEmpty();
    assertThat(targets(new FleetFiguresFixture(FleetSize.ONE, 12)).allMet()).isTrue();
  }

  @Test
  void areMissedByOneWrongDenial() {
    FleetFiguresFixture wrong = new FleetFiguresFixture(FleetSize.TEN, 40).wrongDenials(1);
    assertThat(missed(wrong)).singleElement().asString().contains("nobody is denied");
    assertThat(targets(wrong).allMet()).isFalse();
  }

  @Test
  void areMissedByACallThatFailed() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).failures(2)))
        .singleElement()
        .asString()
        .contains("no call fails");
  }

  @Test
  void areMissedByMoreThanThreeTenthsTooMuch() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).worstOfShared(1.31)))
        .singleElement()
        .asString()
        .contains("1.1 times the limit");
  }

  @Test
  void areMissedByMoreRowsThanTheRfcExpectsOfAFleetOfThatSize() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).rowsWritten(1_499)))
        .isEmpty();
    assertThat(missed(new FleetFiguresFixture(FleetSize.TEN, 40).rowsWritten(1_501)))
        .singleElement()
        .asString()
        .contains("60,000 rows/s");
  }

  @Test
  void promiseNothingOfTheRfcsPolicyButThatItIsRight() {
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 12, Policy.RFC)
            .worstOfShared(3)
            .rowsWritten(9_000)))
        .isEmpty();
    assertThat(missed(new FleetFiguresFixture(FleetSize.ONE, 12, Policy.RFC).wrongDenials(1)))
        .hasSize(1);
  }

  @Test
  void aSampleMustAgreeWithTheWhole() {
    FleetFiguresFixture full = new FleetFiguresFixture(FleetSize.ONE, 1).rowsWritten(720);
    assertThat(missed(full, new FleetFiguresFixture(FleetSize.ONE, 12).rowsWritten(77)))
        .isEmpty();
    assertThat(missed(full, new FleetFiguresFixture(FleetSize.ONE, 12).rowsWritten(79)))
        .singleElement()
        .asString()
        .contains("agrees with all series");
  }
}
