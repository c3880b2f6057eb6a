package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.HttpContender.CONSTANT;
import static io.tidegate.benchmarks.HttpContender.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.HttpFigures.Scenario;
import io.tidegate.report.Verdict;
import org.junit.jupiter.api.Test;

class HttpTargetsTest {

  private static final Scenario HOT = new Scenario(64, 1, HttpFigures.NO_RATE);
  private static final Scenario ALONE = new Scenario(1, 1, HttpFigures.NO_RATE);

  private final HttpFiguresFixture figures = HttpFiguresFixture.allAlike();

  @Test
  void fourFifthsOfTheConstantMeetTheTarget() {
    figures.load(TIDEGATE, HOT, 1, 800);
    assertThat(verdict("hot key").met()).isTrue();
    figures.load(TIDEGATE, HOT, 1, 799);
    assertThat(verdict("hot key").met()).isFalse();
    assertThat(verdict("1,000 keys").met()).isTrue();
  }

  @Test
  void fewConnectionsAreNoTarget() {
    figures.load(TIDEGATE, ALONE, 1, 1);
    assertThat(figures.targets().verdicts()).hasSize(2).allMatch(Verdict::met);
  }

  @Test
  void roundsAreComparedWithThemselves() {
    figures
        .load(TIDEGATE, HOT, 1, 900)
        .load(CONSTANT, HOT, 1, 1_000)
        .load(TIDEGATE, HOT, 2, 70)
        .load(CONSTANT, HOT, 2, 100);
    assertThat(verdict("hot key").figure()).isEqualTo("0.80 [0.70..0.90]");
  }

  @Test
  void weLoseNowhereWhenAllAreAlike() {
    assertThat(figures.targets().whereWeLose()).isEmpty();
  }

  @Test
  void everyScenarioWithFewerRequestsIsTold() {
    figures.load(TIDEGATE, ALONE, 1, 500);
    assertThat(figures.targets().whereWeLose())
        .containsExactly(
            "1 connection, one hot key: 0.50 [0.50..0.50] of the constant's requests, at 2.00"
                + " [2.00..2.00] of its CPU for each");
  }

  private Verdict verdict(String target) {
    return figures.targets().verdicts().stream()
        .filter(verdict -> verdict.target().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
