package io.tidegate.benchmarks.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.local.Results.Cost;
import io.tidegate.benchmarks.local.Results.Decision;
import io.tidegate.benchmarks.local.Results.Memory;
import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Rounds;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTargetsTest {

  private final List<Decision> decisions = new ArrayList<>();
  private Memory memory = new Memory(Competitor.TIDEGATE, 100);

  @Test
  void twiceAsFastOnManyKeysMeetsTheTarget() {
    measured(Scenario.ZIPF, 1, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.ZIPF, 1, Competitor.BUCKET4J, 200, 64);
    measured(Scenario.ZIPF, 1, Competitor.RESILIENCE4J, 199, 40);
    assertThat(verdict("at least 2.0x as fast as bucket4j").met()).isTrue();
    assertThat(verdict("at least 2.0x as fast as resilience4j").met()).isFalse();
  }

  @Test
  void theHotKeyHasATargetForOneThreadOnly() {
    for (int threads = 1; threads <= 2; threads++) {
      measured(Scenario.HOT, threads, Competitor.TIDEGATE, 100, 0);
      measured(Scenario.HOT, threads, Competitor.BUCKET4J, 129, 0);
    }
    assertThat(verdicts())
        .filteredOn(verdict -> verdict.text().contains("bucket4j"))
        .singleElement()
        .satisfies(verdict -> {
          assertThat(verdict.text()).startsWith("one hot key, 1 thread");
          assertThat(verdict.met()).isFalse();
        });
  }

  @Test
  void theWorstScenarioDecidesWhetherGuavaWasNeverFaster() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.HOT, 1, Competitor.GUAVA, 500, 0);
    measured(Scenario.DENIED, 1, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.DENIED, 1, Competitor.GUAVA, 90, 0);
    Target verdict = verdict("never slower than Guava");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.figure()).isEqualTo("0.90 at worst, for denied key");
  }

  @Test
  void guavaMayBeFasterWithTwoThreads() {
    for (int threads = 1; threads <= 2; threads++) {
      measured(Scenario.HOT, threads, Competitor.TIDEGATE, 100, 0);
      measured(Scenario.HOT, threads, Competitor.GUAVA, threads == 1 ? 100 : 50, 0);
    }
    assertThat(verdict("never slower than Guava").met()).isTrue();
  }

  @Test
  void anyAllocationThroughAGateMissesTheTarget() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0.01);
    measured(Scenario.HOT, 1, Competitor.TIDEGATE_DECISION, 100, 64);
    assertThat(verdict("0 B per decision").met()).isTrue();
    measured(Scenario.ZIPF, 2, Competitor.TIDEGATE_GIVEN_TIME, 100, 16);
    assertThat(verdict("0 B per decision").met()).isFalse();
  }

  @Test
  void aSeriesMayTake330Bytes() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    memory = new Memory(Competitor.TIDEGATE, 330.0);
    assertThat(verdict("330 B").met()).isTrue();
    memory = new Memory(Competitor.TIDEGATE, 330.1);
    assertThat(verdict("330 B").met()).isFalse();
  }

  @Test
  void theGreatestLossComesFirst() {
    measured(Scenario.HOT, 2, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.HOT, 2, Competitor.TIDEGATE_GIVEN_TIME, 10, 0);
    measured(Scenario.HOT, 2, Competitor.CAFFEINE, 90, 0);
    measured(Scenario.HOT, 2, Competitor.GUAVA, 50, 0);
    measured(Scenario.HOT, 2, Competitor.BUCKET4J, 100, 0);
    assertThat(results().losses())
        .containsExactly(
            "one hot key, 2 threads: Guava takes 0.50 of Tidegate's time",
            "one hot key, 2 threads: Caffeine window takes 0.90 of Tidegate's time");
  }

  private void measured(
      Scenario scenario, int threads, Competitor competitor, double nanos, double bytes) {
    decisions.add(new Decision(new Case(scenario, threads), competitor, 1, new Cost(nanos, bytes)));
  }

  private Target verdict(String target) {
    return verdicts().stream()
        .filter(verdict -> verdict.text().contains(target))
        .findFirst()
        .orElseThrow();
  }

  private List<Target> verdicts() {
    return results().targets();
  }

  private Results results() {
    return new Results(
        Settings.of(false, 1), new Rounds<>(decisions), new Rounds<>(List.of()), List.of(memory));
  }
}
