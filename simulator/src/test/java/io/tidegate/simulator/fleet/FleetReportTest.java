package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some JVM 17", 0.1, List.of());
  private final List<FleetFigures> results = List.of(
      new FleetFiguresFixture(FleetSize.ONE, 1).rowsWritten(720).figures(),
      new FleetFiguresFixture(FleetSize.ONE, 12).figures(),
      new FleetFiguresFixture(FleetSize.HUNDRED, 1_200)
          .memory(new NodeMemory(250, 1_000))
          .figures());
  private final Report report = new FleetReport(machine, true, results).report();

  @Test
  void tablesAreRectangular() {
    int columns = 0;
    for (String line : report.markdown().lines().toList()) {
      int found = line.startsWith("|") ? line.split("\\|", -1).length : 0;
      assertThat(columns == 0 || found == 0 || found == columns).as(line).isTrue();
      columns = found;
    }
  }

  @Test
  void hasTheFiguresOfTheWholeFleet() {
    assertThat(report.markdown())
        .contains("**Quick run**")
        .contains("Policy adaptive, 0.25 s; 2 min measured in virtual time")
        .contains("| 1x, one in 12 | 10 | 33 | 24,000 | 2,000 | 8400 | 10.0 % |")
        .contains("| 100x, one in 1200 | 100 | 3,300 | 2,400,000 | 2,000 | 840 k | 10.0 % |")
        .contains("| 1x, one in 12 | 126 | 720 | 10.0 % | 25.0 % | 80.5 | 12.0 k | 24.0 k |")
        .contains("| 100x, one in 1200 | 192 k | 240 k | 1,000,000 | 250 | 1000 | 240 | 0.0 |")
        .contains("| 1x, one in 12 | 80.0 | 100 |");
  }

  @Test
  void comparesASampleWithAllSeries() {
    assertThat(report.markdown())
        .contains("### Accuracy of a sample: 1x")
        .contains("| rows written/s | 720 | 720 | 1.00 |")
        .doesNotContain("### Accuracy of a sample: 100x");
  }

  @Test
  void jsonHasEveryFleet() {
    String json = report.json();
    assertThat(json.split("\"sample\"", -1)).hasSize(1 + results.size());
    assertThat(json).contains("\"sample\": 1200", "\"rows written/s\": 72000", "\"shared\": 1000");
  }
}
