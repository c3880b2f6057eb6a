package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.LocalFigures.Cost;
import io.tidegate.benchmarks.LocalFigures.Decision;
import io.tidegate.benchmarks.LocalTargets.Comparison;
import io.tidegate.report.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalTargetsTest {

  private final List<Decision> decisions = new ArrayList<>();
  private final Map<Competitor, Double> memory = new EnumMap<>(Competitor.class);

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
        .filteredOn(verdict -> verdict.target().contains("bucket4j"))
        .singleElement()
        .satisfies(verdict -> {
          assertThat(verdict.target()).startsWith("one hot key, 1 thread");
          assertThat(verdict.met()).isFalse();
        });
  }

  @Test
  void theWorstScenarioDecidesWhetherGuavaWasNeverFaster() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.HOT, 1, Competitor.GUAVA, 500, 0);
    measured(Scenario.DENIED, 1, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.DENIED, 1, Competitor.GUAVA, 90, 0);
    Verdict verdict = verdict("never slower than Guava");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.figure()).isEqualTo("0.90 [0.90..0.90] at worst, for denied key");
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
    memory.put(Competitor.TIDEGATE, 330.0);
    assertThat(verdict("330 B").met()).isTrue();
    memory.put(Competitor.TIDEGATE, 330.1);
    assertThat(verdict("330 B").met()).isFalse();
  }

  @Test
  void lossesAreThoseToOthersTheGreatestFirst() {
    measured(Scenario.HOT, 2, Competitor.TIDEGATE, 100, 0);
    measured(Scenario.HOT, 2, Competitor.TIDEGATE_GIVEN_TIME, 10, 0);
    measured(Scenario.HOT, 2, Competitor.CAFFEINE, 90, 0);
    measured(Scenario.HOT, 2, Competitor.GUAVA, 50, 0);
    measured(Scenario.HOT, 2, Competitor.BUCKET4J, 100, 0);
    assertThat(LocalTargets.losses(figures()))
        .extracting(Comparison::competitor)
        .containsExactly(Competitor.GUAVA, Competitor.CAFFEINE);
  }

  private void measured(
      Scenario scenario, int threads, Competitor competitor, double nanos, double bytes) {
    decisions.add(new Decision(scenario, threads, competitor, 1, new Cost(nanos, bytes)));
  }

  private Verdict verdict(String target) {
    return verdicts().stream()
        .filter(verdict -> verdict.target().contains(target))
        .findFirst()
        .orElseThrow();
  }

  private List<Verdict> verdicts() {
    return LocalTargets.verdicts(figures());
  }

  private LocalFigures figures() {
    return new LocalFigures(decisions, List.of(), memory);
  }
}
