package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionalReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some JVM 17", 0.1, List.of());
  private final RegionalFigures figures = RegionalFiguresFixture.allAlike().figures();

  @Test
  void tablesAreRectangular() {
    LocalReportTest.assertTablesAreRectangular(markdown());
  }

  @Test
  void tellsEveryContenderAndThatItWasQuick() {
    assertThat(markdown())
        .contains("**A quick run**")
        .contains("| Tidegate | 1000 [1000..1000] | 1 |")
        .contains("| bucket4j | 1.00 [1.00..1.00] | 1.00 [1.00..1.00] |")
        .contains("| missed | 1.00 [1.00..1.00] |")
        .contains("Nowhere in this run.");
  }

  @Test
  void exportHasEveryFigureButThoseThatNobodyMeasured() {
    String json =
        Json.of(new RegionalExport(machine, RegionalFiguresFixture.SETTINGS, figures).content());
    assertThat(json.split("\"coldPerSecond\"", -1)).hasSize(1 + figures.loads().size());
    assertThat(json.split("\"lost\"", -1)).hasSize(1 + figures.loads().size() - 1);
    assertThat(json.split("\"p99Millis\"", -1)).hasSize(1 + figures.lags().size());
    assertThat(json.split("\"timesLimit\"", -1)).hasSize(1 + figures.bursts().size());
  }

  private String markdown() {
    return new RegionalReport(machine, RegionalFiguresFixture.SETTINGS, figures).markdown();
  }
}
