package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some JVM 17", 0.1, List.of());
  private final List<FleetFigures> figures = List.of(
      new FleetFiguresFixture(FleetSize.ONE, 1).rowsWritten(720).figures(),
      new FleetFiguresFixture(FleetSize.ONE, 12).figures(),
      new FleetFiguresFixture(FleetSize.HUNDRED, 1_200).figures());
  private final List<NodeMemory> memory =
      List.of(new NodeMemory(400, 250), new NodeMemory(400, 250), new NodeMemory(1_000, 250));

  private String markdown() {
    return new FleetReport(machine, true, figures, memory).markdown();
  }

  @Test
  void tablesAreRectangular() {
    int columns = 0;
    for (String line : markdown().split("\n")) {
      int found = line.startsWith("|") ? line.split("\\|", -1).length : 0;
      assertThat(columns == 0 || found == 0 || found == columns).as(line).isTrue();
      columns = found;
    }
  }

  @Test
  void tellsTheWholeFleet() {
    assertThat(markdown())
        .contains("**A quick run**")
        .contains("adaptive, 1 s; 2 minutes measured in virtual time")
        .contains("| 1x, one in 12 | 10 | 33 | 24,000 | 2,000 | 8400 | 10.0 % |")
        .contains("| 100x, one in 1200 | 100 | 3,300 | 2,400,000 | 2,000 | 840 k | 10.0 % |")
        .contains(
            "| 1x, one in 12 | 33.0 | 720 | 10.0 % | 25.0 % | 66.0 | 48.0 k | 50.0 % | 4.8 | 24.0 k |")
        .contains("| 100x, one in 1200 | 192 k | 1.2 M | 1,000,000 | 250 | 1000 | 1296 | 0.0 |")
        .contains("| 1x, one in 12 | 80.0 | 100 | 10.0 k |");
  }

  @Test
  void comparesASampleWithAllWhereThereAreBoth() {
    assertThat(markdown())
        .contains("### What a sample is worth: 1x")
        .contains("| rows written/s | 720 | 720 | 1.00 | 10.0 % |")
        .doesNotContain("### What a sample is worth: 100x");
  }

  @Test
  void exportHasEveryFleetAsItIsAndAsItWasSimulated() {
    String json = Json.of(new FleetExport(machine, figures, memory).content());
    assertThat(json.split("\"rowsWrittenPerSecond\"", -1)).hasSize(1 + 2 * figures.size());
    assertThat(json.split("\"p999\"", -1)).hasSize(1 + 3 * figures.size());
    assertThat(json).contains("\"sample\": 1200").contains("\"bytesPerSeriesHeardOf\": 1000.0");
  }
}
