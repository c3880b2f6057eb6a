package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.LocalFigures.Cost;
import io.tidegate.benchmarks.LocalFigures.Decision;
import io.tidegate.report.Spread;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalFiguresTest {

  /** In the second round the machine was ten times slower, and Tidegate lost a little. */
  private final LocalFigures figures = new LocalFigures(
      List.of(
          decision(Competitor.TIDEGATE, 1, 10),
          decision(Competitor.GUAVA, 1, 20),
          decision(Competitor.TIDEGATE, 2, 100),
          decision(Competitor.GUAVA, 2, 90)),
      List.of(),
      Map.of());

  @Test
  void ratiosAreTakenWithinARound() {
    assertThat(figures.ratio(Scenario.HOT, 1, Competitor.GUAVA))
        .contains(Spread.of(20.0 / 10, 90.0 / 100));
  }

  @Test
  void timesSpreadOverTheRounds() {
    assertThat(figures.nanos(Scenario.HOT, 1, Competitor.GUAVA))
        .contains(new Spread(55, 20, 90, 2));
  }

  @Test
  void whatWasNotMeasuredHasNoFigure() {
    assertThat(figures.ratio(Scenario.HOT, 2, Competitor.GUAVA)).isEmpty();
    assertThat(figures.nanos(Scenario.ZIPF, 1, Competitor.GUAVA)).isEmpty();
  }

  @Test
  void withoutTidegateThereIsNothingToCompareWith() {
    Decision alone = decision(Competitor.GUAVA, 3, 1);
    assertThatThrownBy(() -> figures.ratio(alone)).isInstanceOf(IllegalStateException.class);
  }

  private static Decision decision(Competitor competitor, int round, double nanos) {
    return new Decision(Scenario.HOT, 1, competitor, round, new Cost(nanos, 0));
  }
}
