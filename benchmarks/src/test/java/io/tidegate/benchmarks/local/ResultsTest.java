package io.tidegate.benchmarks.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.local.Results.Batch;
import io.tidegate.benchmarks.local.Results.Cost;
import io.tidegate.benchmarks.local.Results.Decision;
import io.tidegate.benchmarks.local.Results.Memory;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of("-Xmx1g"));
  private final Settings settings = Settings.of(true, 1);

  @Test
  void reportHasEveryCompetitor() {
    assertThat(report(200).markdown())
        .contains("|  | 1 thread, ns | 1 thread, B | 2 threads, ns | 2 threads, B |")
        .contains("| bucket4j | 200 | 0 | 200 | 0 |")
        .contains("|  | one hot key, 1 thread | zipf, 1 thread | zipf, 2 threads |")
        .contains("| Tidegate, full decision | 1.00 | – | – |")
        .contains("| bucket4j | 2.00 | 2.00 | 2.00 |")
        .contains("| batch that is allowed | 100 | 64 |")
        .contains("| Guava | 200 |");
  }

  @Test
  void betterFiguresOfOthersAreReported() {
    assertThat(report(50).markdown())
        .contains("- 100,000 keys, zipf, 2 threads: Guava takes 0.50 of Tidegate's time")
        .contains("- 100,000 keys, zipf, 1 thread: bucket4j takes 0.50 of Tidegate's time")
        .contains("- memory: Guava takes 50 B per identifier, Tidegate 100 B")
        .contains("| missed |");
    assertThat(report(300).markdown())
        .contains("Nowhere in this run.")
        .doesNotContain("| missed |");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = report(200).json();
    assertThat(json).contains("\"keys\": 100000");
    assertThat(json.split("\"nanos\": 200", -1)).as("of four others").hasSize(1 + 3 * 4);
    assertThat(json.split("\"nanos\"", -1)).hasSize(1 + 3 * 5 + 5 + 3);
    assertThat(json.split("\"bytes\": 200", -1)).as("memory of four others").hasSize(1 + 4);
  }

  /** Tidegate takes 100 of everything, the others take this much. */
  private Report report(double others) {
    List<Decision> decisions = new ArrayList<>();
    for (Settings.Case measured : settings.cases()) {
      for (Competitor competitor : settings.competitors(measured.scenario())) {
        Cost cost = new Cost(isTidegate(competitor) ? 100 : others, 0);
        decisions.add(new Decision(measured, competitor, 1, cost));
      }
    }
    List<Batch> batches = new ArrayList<>();
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      batches.add(new Batch(kind, 5, 1, new Cost(100, 64)));
    }
    List<Memory> memory = Competitor.stored().stream()
        .map(stored -> new Memory(stored, isTidegate(stored) ? 100 : others))
        .toList();
    return new Results(settings, new Rounds<>(decisions), new Rounds<>(batches), memory)
        .report(machine);
  }

  private static boolean isTidegate(Competitor competitor) {
    return competitor == Competitor.TIDEGATE || competitor.isVariant();
  }
}
