package io.tidegate.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());
  private final ResultsFixture fixture = ResultsFixture.allAlike();

  @Test
  void reportHasEveryScenario() {
    assertThat(markdown())
        .contains("**Quick run**")
        .contains("### One hot key, unthrottled")
        .contains("### 100,000 keys, unthrottled")
        .contains("| 64 connections, Tidegate | 1000 | 1.00 | 50.0 | 90.0 | 99.0 | 10.0 | 1.00 |")
        .contains("| 1 connection, a constant | 1000 | 1.00 | 50.0 | 90.0 | 99.0 | 10.0 | 1.00 |")
        .contains("| 50 %, Tidegate | 500 | 50.0 | 90.0 | 99.0 | 100 | 1.0 | 20.0 |")
        .contains("| Tidegate | 10,001 | 1.0 | 100 | 1.0 | 2.5 | 150 |")
        .contains("| a constant | 0 | 1.0 | – | 0.5 | 0.5 | – |")
        .contains("Nowhere in this run.");
  }

  @Test
  void warnsOfASaturatedLoadGenerator() {
    assertThat(markdown()).doesNotContain("**The load generator was saturated**");
    fixture.load(ServerProcess.Kind.CONSTANT, Scenario.closed(64, 1), 1, 1_000, 0.95);
    assertThat(markdown()).containsOnlyOnce("**The load generator was saturated**");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = fixture.results().report(machine).json();
    assertThat(json.split("\"micros\"", -1)).hasSize(1 + 10);
    assertThat(json.split("\"serverSeconds\": 0.01", -1)).hasSize(1 + 10);
    assertThat(json.split("\"heapBytes\"", -1)).hasSize(1 + 2 * 2);
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 2);
  }

  private String markdown() {
    return fixture.results().report(machine).markdown();
  }
}
