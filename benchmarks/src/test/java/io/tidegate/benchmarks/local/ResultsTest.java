package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.LocalFigures.Cost;
import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some \"JVM\" 17", 0.1, List.of("-Xmx1g"));
  private final LocalSettings settings = LocalSettings.quick(1);

  @Test
  void tablesAreRectangular() {
    assertTablesAreRectangular(new LocalReport(machine, settings, figures(100)).markdown());
  }

  static void assertTablesAreRectangular(String markdown) {
    int columns = 0;
    for (String line : markdown.lines().toList()) {
      int bars = (int) line.chars().filter(c -> c == '|').count();
      assertThat(bars == 0 || columns == 0 || bars == columns).as(line).isTrue();
      columns = bars;
    }
  }

  @Test
  void saysWhereOthersAreBetter() {
    String losing = new LocalReport(machine, settings, figures(50)).markdown();
    assertThat(losing)
        .contains("- 100,000 keys, zipf, 2 threads: Guava takes 0.50 [0.50..0.50] of our time")
        .contains("- 100,000 keys, zipf, 1 thread: bucket4j takes 0.50 [0.50..0.50] of our time")
        .contains("- memory: Guava takes 50 B per identifier, we take 100 B")
        .contains("| missed |");
    assertThat(new LocalReport(machine, settings, figures(300)).markdown())
        .contains("Nowhere in this run.")
        .doesNotContain("| missed |");
  }

  @Test
  void exportHasEveryFigure() {
    LocalFigures figures = figures(200);
    String json = Json.of(new LocalExport(machine, settings, figures).content());
    assertThat(json).contains("\"jvm\": \"Some \\\"JVM\\\" 17\"").contains("\"keys\": 100000");
    assertThat(json.split("\"ratioToTidegate\": 2.0")).hasSizeGreaterThan(1);
    assertThat(json.split("\"nanosPerOperation\"", -1))
        .hasSize(1 + figures.decisions().size() + figures.batches().size());
  }

  /** Tidegate takes 100 of everything, the others so much. */
  private LocalFigures figures(double others) {
    List<LocalFigures.Decision> decisions = new ArrayList<>();
    for (LocalSettings.Group group : settings.groups()) {
      for (Competitor competitor : group.competitors()) {
        double nanos = competitor.isTidegate() ? 100 : others;
        decisions.add(new LocalFigures.Decision(
            group.scenario(), group.threads(), competitor, 1, new Cost(nanos, 0)));
      }
    }
    List<LocalFigures.Batch> batches = new ArrayList<>();
    for (int size : settings.batchSizes()) {
      for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
        batches.add(new LocalFigures.Batch(kind, size, 1, new Cost(100, 64)));
      }
    }
    Map<Competitor, Double> memory = new EnumMap<>(Competitor.class);
    Competitor.products()
        .forEach(competitor -> memory.put(competitor, competitor.isTidegate() ? 100 : others));
    return new LocalFigures(decisions, batches, memory);
  }
}
