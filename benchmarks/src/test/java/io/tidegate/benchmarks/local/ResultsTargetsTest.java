package io.tidegate.benchmarks.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.local.BatchBenchmark.Kind;
import io.tidegate.benchmarks.local.Results.Batch;
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
  private final List<Batch> batches = new ArrayList<>();
  private double bytesAlone = 100;
  private double bytesShared = 200;

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
  void aSeriesMayTake120Bytes() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    bytesAlone = 120.0;
    assertThat(verdict("120 B").met()).isTrue();
    bytesAlone = 120.1;
    assertThat(verdict("120 B").met()).isFalse();
  }

  @Test
  void aSharedSeriesMayTake220Bytes() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    bytesShared = 220.0;
    assertThat(verdict("220 B").met()).isTrue();
    bytesShared = 220.1;
    assertThat(verdict("220 B").met()).isFalse();
  }

  @Test
  void aBatchMayTakeThirtyPercentMoreThanItsRequests() {
    measured(Scenario.HOT, 1, Competitor.TIDEGATE, 100, 0);
    for (int size : new int[] {2, 5}) {
      batches.add(new Batch(Kind.SINGLES, size, 1, new Cost(100, 0)));
      batches.add(new Batch(Kind.ALLOWED, size, 1, new Cost(size == 2 ? 131 : 130, 0)));
    }
    assertThat(verdict("a batch of 2").met()).isFalse();
    assertThat(verdict("a batch of 5").met()).isTrue();
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
    List<Memory> memory = List.of(
        new Memory(Competitor.TIDEGATE, bytesAlone),
        new Memory(Competitor.TIDEGATE_SHARED, bytesShared));
    return new Results(
        Settings.of(false, 1), new Rounds<>(decisions), new Rounds<>(batches), memory);
  }
}
