package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.HttpFigures.Scenario;
import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpReportTest {

  private final Machine machine =
      new Machine(2, "Some Processor", "Some System", "Some JVM 17", 0.1, List.of());
  private final HttpFiguresFixture fixture = HttpFiguresFixture.allAlike();

  @Test
  void tablesAreRectangular() {
    LocalReportTest.assertTablesAreRectangular(markdown());
  }

  @Test
  void tellsEveryScenarioAndThatItWasQuick() {
    assertThat(markdown())
        .contains("**A quick run**")
        .contains("### One hot key, as fast as answers come")
        .contains("### 1,000 keys, as fast as answers come")
        .contains("| 64 connections, Tidegate | 1000 [1000..1000] | 1.00 [1.00..1.00] |")
        .contains("| 1 connection, a constant | 1000 [1000..1000] | 1 |")
        .contains("| 50 %, Tidegate | 500 [500..500] |")
        .contains("| Tidegate | 10,001 | 1.0 | 100 | 1.0 | 2.5 | 150 |")
        .contains("| a constant | 0 | 1.0 | – | 0.5 | 0.5 | – |")
        .contains("Nowhere in this run.");
  }

  @Test
  void saysWhenTheLoadIsTheLimit() {
    assertThat(markdown()).doesNotContain("**The load was busy**");
    fixture.load(HttpContender.CONSTANT, new Scenario(64, 1, HttpFigures.NO_RATE), 1, 1_000, 0.95);
    assertThat(markdown()).containsOnlyOnce("**The load was busy**");
  }

  @Test
  void saysWhenOthersHadTheProcessors() {
    assertThat(markdown())
        .as("half a processor of two for the load, and a hundredth of one for the server")
        .contains(
            "**Others had the processors**: with most connections, 25.5 % of them were used.");
  }

  @Test
  void exportHasEveryFigure() {
    HttpFigures figures = fixture.figures();
    String json = Json.of(new HttpExport(machine, HttpFiguresFixture.SETTINGS, figures).content());
    assertThat(json.split("\"p999Micros\"", -1)).hasSize(1 + figures.loads().size());
    assertThat(json.split("\"heapBytesAfter\"", -1))
        .hasSize(1 + figures.memories().size());
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 2);
  }

  private String markdown() {
    return new HttpReport(machine, HttpFiguresFixture.SETTINGS, fixture.figures()).markdown();
  }
}
