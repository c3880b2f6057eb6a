package io.tidegate.benchmarks.http;

import static io.tidegate.benchmarks.http.ServerProcess.Kind.CONSTANT;
import static io.tidegate.benchmarks.http.ServerProcess.Kind.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Target;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private static final Scenario HOT = Scenario.closed(64, 1);
  private static final Scenario ALONE = Scenario.closed(1, 1);

  private final ResultsFixture figures = ResultsFixture.allAlike();

  @Test
  void fourFifthsOfTheConstantMeetTheTarget() {
    figures.load(TIDEGATE, HOT, 1, 800);
    assertThat(verdict("hot key").met()).isTrue();
    figures.load(TIDEGATE, HOT, 1, 799);
    assertThat(verdict("hot key").met()).isFalse();
    assertThat(verdict("100,000 keys").met()).isTrue();
  }

  @Test
  void fewConnectionsHaveNoTarget() {
    figures.load(TIDEGATE, ALONE, 1, 1);
    assertThat(figures.targets().targets()).hasSize(2).allMatch(Target::met);
  }

  @Test
  void serversAreComparedWithinARound() {
    figures
        .load(TIDEGATE, HOT, 1, 900)
        .load(CONSTANT, HOT, 1, 1_000)
        .load(TIDEGATE, HOT, 2, 70)
        .load(CONSTANT, HOT, 2, 100);
    assertThat(verdict("hot key").figure()).isEqualTo("0.80 [0.70..0.90]");
  }

  @Test
  void equalFiguresAreNoLoss() {
    assertThat(figures.targets().losses()).isEmpty();
  }

  @Test
  void everyScenarioWithFewerRequestsIsReported() {
    figures.load(TIDEGATE, ALONE, 1, 500);
    assertThat(figures.targets().losses())
        .containsExactly(
            "1 connection, one hot key: 0.50 of the constant's requests, at 2.00 of its CPU time for"
                + " each");
  }

  private Target verdict(String target) {
    return figures.targets().targets().stream()
        .filter(verdict -> verdict.text().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
