package io.tidegate.benchmarks.global;

import static io.tidegate.benchmarks.global.Policy.ADAPTIVE;
import static io.tidegate.benchmarks.global.Policy.REFERENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.report.Machine;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());

  @Test
  void reportHasEveryPolicyNextToTheReferenceDesign() {
    assertThat(ResultsFixture.allAlike().report().report(machine).markdown())
        .contains("**Quick run**")
        .contains("| the reference design expects | – | 3.3 | 600 to 6,000 | – | 3.3 |")
        .contains(
            "| floor 0.5, 10 s (reference) | 10.0 k | 33.0 | 600 | 10 % | 66.0 | 6000 | 50 % |")
        .contains("| adaptive, 0.25 s | 3.0 | 30.0 | – | – | 0.100 | 0.200 |")
        .contains(
            "| adaptive, 0.25 s | 0.500 | 1.00 | 1.00 | 300 | 0 | 4,000 | 10,000 | 3.0 | 300 |")
        .contains("| adaptive, 0.25 s | 1.00 | 4.0 | 1.00 | 4.0 | 1.00 | 4.0 |")
        .contains("| 1.0 % | 0.500 | 0.500 | 1.00 | 0.417 |")
        .contains("| new rows, connections: 1 | 60.0 k | 60.0 | 100 | 50.0 | 60.0 k |")
        .contains("| 1 | 750 | 750 | 50.0 k | 60.0 | 30.0 | 3.0 | 30.0 | 3.0 | 30.0 |")
        .contains("Nowhere in this run.");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = ResultsFixture.allAlike().report().report(machine).json();
    assertThat(json.split("\"rowsRaised\"", -1)).hasSize(1 + 3);
    assertThat(json.split("\"tickCpuMillis\"", -1)).hasSize(1 + 3);
    assertThat(json.split("\"lagMillis\"", -1)).hasSize(1 + 3);
    assertThat(json.split("\"timesLimit\"", -1)).hasSize(1 + 3 * 3);
    assertThat(json.split("\"changedPerMille\"", -1)).hasSize(1 + TickProbe.CHANGED.size());
    assertThat(json.split("\"callsPerSecond\"", -1)).hasSize(1 + 3);
    assertThat(json.split("\"times\": 1", -1)).hasSize(1 + 1);
  }

  @Test
  void figuresArePerSecondOfTheWindow() {
    Results results = new ResultsFixture().load(REFERENCE, 1, 600, 6_000).results();
    Load load = results.loads().get(0);
    assertThat(load.rowsWrittenPerSecond()).isEqualTo(600);
    assertThat(load.rowsReadPerSecond()).isEqualTo(6_000);
    assertThat(load.shareOfNewRows()).isEqualTo(0.5);
    assertThat(load.stored().shareUnchanged()).as("neither new nor raised").isEqualTo(0.1);
    assertThat(load.exchangePercent()).isEqualTo(0.03, within(1e-9));
    assertThat(load.exchangeMicrosPerRow()).isEqualTo(3_000 / 66_000.0, within(1e-9));
  }

  @Test
  void windowsOfAPolicyAreASpread() {
    Results results = new ResultsFixture()
        .load(REFERENCE, 1, 100, 0)
        .load(REFERENCE, 2, 300, 0)
        .load(ADAPTIVE, 1, 700, 0)
        .results();
    assertThat(new Rounds<>(results.loads())
            .where(load -> load.policy() == REFERENCE)
            .of(Load::rowsWrittenPerSecond))
        .isEqualTo(new Spread(200, 100, 300, 2));
  }
}
