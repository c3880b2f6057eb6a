package io.tidegate.benchmarks.regional;

import static io.tidegate.benchmarks.regional.Contender.BUCKET4J;
import static io.tidegate.benchmarks.regional.Contender.PER_REQUEST;
import static io.tidegate.benchmarks.regional.Contender.TIDEGATE;
import static io.tidegate.benchmarks.regional.ResultsFixture.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.regional.Results.Loss;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());

  @Test
  void reportHasEveryContender() {
    assertThat(ResultsFixture.allAlike().results().report(machine).markdown())
        .contains("**Quick run**")
        .contains("| Tidegate | 1000 | – | 1000 | 2000 | 25.0 | 4000 | 0 of 1000 | 500 | 5.0 |")
        .contains("| bucket4j | 1000 | 1.00 | – | 2000 | 25.0 | 4000 | – | 500 | 5.0 |")
        .contains("| bucket4j | 0.5 | 1.0 | 1.0 | 1.0 | 2.0 |")
        .contains("| bucket4j | 1.00 | 1.00 |")
        .contains("| missed | 1.00 |")
        .contains("Nowhere in this run.");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    Results results = ResultsFixture.allAlike().results();
    Report report = results.report(machine);
    assertThat(report.json().split("\"coldPerSecond\"", -1)).hasSize(1 + 3);
    assertThat(report.json().split("\"counted\"", -1)).hasSize(1 + 3);
    assertThat(report.json().split("\"decisionMicros\"", -1)).hasSize(1 + 3);
    assertThat(report.json().split("\"unthrottled\"", -1)).hasSize(1 + 3);
  }

  @Test
  void contendersAreComparedWithinARound() {
    Results results = new ResultsFixture()
        .load(TIDEGATE, 1, 100, 0, 0)
        .load(BUCKET4J, 1, 10, 0, 0)
        .load(TIDEGATE, 2, 1_000, 0, 0)
        .load(BUCKET4J, 2, 50, 0, 0)
        .results();
    assertThat(results.loads(KEYS, BUCKET4J).of(results.timesFewer()))
        .isEqualTo(new Spread(15, 10, 20, 2));
  }

  @Test
  void lossesOfAllRoundsAddUp() {
    Results results = new ResultsFixture()
        .load(PER_REQUEST, 1, 100, 0, 30)
        .load(PER_REQUEST, 2, 100, 0, 50)
        .results();
    assertThat(Loss.of(results.loads().rows())).hasToString("80 of 200 (40.0 %)");
  }
}
