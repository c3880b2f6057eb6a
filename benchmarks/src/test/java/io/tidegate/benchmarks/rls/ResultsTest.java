package io.tidegate.benchmarks.rls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.rls.Results.Load;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import io.tidegate.benchmarks.rls.Settings.Connections;
import io.tidegate.benchmarks.rls.Settings.Message;
import io.tidegate.benchmarks.rls.Settings.Scenario;
import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private static final String TIDEGATE = Kind.TIDEGATE.label;
  private static final String CONSTANT = Kind.CONSTANT.label;
  private static final Scenario HOT = Scenario.closed(Settings.MULTIPLEXED, Message.SIMPLE, 1);
  private static final Scenario ALONE = Scenario.closed(new Connections(1, 1), Message.SIMPLE, 1);

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());
  private final ResultsFixture fixture = ResultsFixture.allAlike();

  @Test
  void reportHasEveryScenario() {
    assertThat(markdown())
        .contains("**Quick run**")
        .contains("### One hot key, 1 entry, OK, unthrottled")
        .contains("### 100,000 keys, 1 entry, OK, unthrottled")
        .contains("### Descriptors and verdicts, 8 connections x 32 streams, unthrottled")
        .contains("### 100,000 keys, 1 entry, OK, at fixed rates")
        .contains(
            "| 1 connection x 1 stream, Tidegate | 1000 | 1.00 | 10.0 | 1.00 | 50.0 | 90.0 | 1.0 | 50.0 |")
        .contains(
            "| one hot key, 3 entries, OVER_LIMIT, a constant | 1000 | 1.00 | 10.0 | 1.00 | 50.0 | 90.0 | 1.0 | 50.0 | 100 % |")
        .contains("| 50 %, Tidegate | 500 | 50.0 | 90.0 | 99.0 | 100 | 1.0 | 10.0 |")
        .contains("Nowhere in this run.");
  }

  @Test
  void warnsOfASaturatedLoadGenerator() {
    assertThat(markdown()).doesNotContain("**The load generator was saturated**");
    fixture.load(CONSTANT, HOT, 1, 1_000, 0.01, 0.95);
    assertThat(markdown()).containsOnlyOnce("**The load generator was saturated**");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = fixture.results().report(machine).json();
    assertThat(json.split("\"micros\"", -1)).hasSize(1 + 2 * 11);
    assertThat(json.split("\"serverSeconds\": 0.01", -1)).hasSize(1 + 2 * 10);
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 8);
  }

  @Test
  void fourFifthsOfTheConstantPerCpuSecondMeetTheTarget() {
    fixture.load(TIDEGATE, HOT, 1, 1_000, 0.0125);
    assertThat(verdict(HOT).met()).isTrue();
    fixture.load(TIDEGATE, HOT, 1, 1_000, 0.0126);
    assertThat(verdict(HOT).met()).isFalse();
    assertThat(fixture.results().targets()).hasSize(8);
    assertThat(fixture.results().targets().stream().filter(Target::met)).hasSize(7);
  }

  @Test
  void aSingleConnectionHasNoTarget() {
    fixture.load(TIDEGATE, ALONE, 1, 1, 1);
    assertThat(fixture.results().targets()).allMatch(Target::met);
  }

  @Test
  void serversAreComparedWithinARound() {
    fixture
        .load(TIDEGATE, HOT, 1, 900, 0.01)
        .load(CONSTANT, HOT, 1, 1_000, 0.01)
        .load(TIDEGATE, HOT, 2, 70, 0.01)
        .load(CONSTANT, HOT, 2, 100, 0.01);
    assertThat(verdict(HOT).figure()).isEqualTo("0.80 [0.70..0.90]");
  }

  @Test
  void everyScenarioThatTakesMoreCpuIsReported() {
    fixture.load(TIDEGATE, ALONE, 1, 1_000, 0.02);
    assertThat(fixture.results().losses())
        .containsExactly("1 connection x 1 stream, one hot key, 1 entry, OK: 0.50 of the constant's"
            + " requests per CPU second");
  }

  @Test
  void otherServersAreReportedAndComparedWith() {
    fixture.addServer("limitador", 0.01).load("limitador", HOT, 1, 2_000, 0.01);
    assertThat(markdown())
        .contains("| 8 connections x 32 streams, limitador | 2000 | 2.00 | 5.0 | 2.00 |");
    assertThat(fixture.results().losses())
        .containsExactly(
            "8 connections x 32 streams, one hot key, 1 entry, OK, requests/s: 2000 with limitador,"
                + " 1000 with Tidegate",
            "8 connections x 32 streams, one hot key, 1 entry, OK, server CPU in µs: 5.0 with"
                + " limitador, 10.0 with Tidegate");
  }

  @Test
  void cpuOfAnUnknownProcessIsNotReported() {
    fixture.addServer("remote", Double.NaN);
    assertThat(markdown())
        .contains("| 1 connection x 1 stream, remote | 1000 | 1.00 | – | – | 50.0 | 90.0 | – |");
    assertThat(fixture.results().losses()).isEmpty();
  }

  @Test
  void wrongVerdictsFail() {
    Scenario over =
        Scenario.closed(Settings.MULTIPLEXED, new Message(1, true), ResultsFixture.SETTINGS.keys());
    load(HOT, 0).requireVerdicts();
    load(over, 1_000).requireVerdicts();
    load(over, 990).requireVerdicts();
    assertThatThrownBy(load(over, 989)::requireVerdicts)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("OVER_LIMIT: 989 of 1000 answers were OVER_LIMIT");
    assertThatThrownBy(load(HOT, 11)::requireVerdicts).isInstanceOf(IllegalStateException.class);
  }

  private static Load load(Scenario scenario, long overLimit) {
    Latency latency = new Latency(1, 1, 1, 1);
    Outcome outcome = new Outcome(1_000, 1, 1, latency, latency);
    return new Load(TIDEGATE, scenario, 1, outcome, overLimit, 1);
  }

  private Target verdict(Scenario scenario) {
    return fixture.results().targets().stream()
        .filter(verdict -> verdict.text().startsWith(scenario.label() + ":"))
        .findFirst()
        .orElseThrow();
  }

  private String markdown() {
    return fixture.results().report(machine).markdown();
  }
}
