package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class GlobalReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some JVM 17", 0.1, List.of());
  private final GlobalFigures figures = GlobalFiguresFixture.allAlike().figures();

  @Test
  void tablesAreRectangular() {
    LocalReportTest.assertTablesAreRectangular(markdown());
  }

  @Test
  void tellsEveryPolicyNextToWhatTheRfcExpectsAndThatItWasQuick() {
    assertThat(markdown())
        .contains("**A quick run**")
        .contains("| the RFC expects | – | 3.3 | 600 to 6,000 |")
        .contains(
            "| floor 0.5, 10 s (RFC) | 10.0 k [10.0 k..10.0 k] | 33.0 [33.0..33.0] | 600 [600..600] | 10 % |")
        .contains("| adaptive, 1 s | 0.500 | 1.00 | 1.00 | 300 | 0 | 4,000 | 10,000 | 3.0 | 300 |")
        .contains("### Where MariaDB becomes the limit")
        .contains("Nowhere in this run.");
  }

  @Test
  void exportHasEveryFigure() {
    String json =
        Json.of(new GlobalExport(machine, GlobalFiguresFixture.SETTINGS, figures).content());
    assertThat(json.split("\"rowsInVain\"", -1)).hasSize(1 + figures.loads().size());
    assertThat(json.split("\"lagMillis\"", -1)).hasSize(1 + figures.lags().size());
    assertThat(json.split("\"timesLimit\"", -1)).hasSize(1 + figures.spendings().size());
    assertThat(json.split("\"changedPerMille\"", -1))
        .hasSize(1 + figures.ticks().size());
    assertThat(json.split("\"rowsWrittenPerSecond\"", -1))
        .hasSize(1 + figures.databaseLoads().size());
    assertThat(json.split("\"rowsPerSecond\"", -1))
        .hasSize(1 + figures.ceilings().size());
  }

  private String markdown() {
    return new GlobalReport(machine, GlobalFiguresFixture.SETTINGS, figures).markdown();
  }
}
