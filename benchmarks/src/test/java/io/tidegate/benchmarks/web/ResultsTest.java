package io.tidegate.benchmarks.web;

import static io.tidegate.benchmarks.web.Application.BUCKET4J;
import static io.tidegate.benchmarks.web.Application.PLAIN;
import static io.tidegate.benchmarks.web.Application.RESILIENCE4J;
import static io.tidegate.benchmarks.web.Application.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.web.Results.Load;
import io.tidegate.report.Machine;
import io.tidegate.report.Rounds;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private static final Settings SETTINGS =
      new Settings(true, false, 1, List.of(1, 32), 100, 100, 1_000);
  private static final Scenario HOT = Scenario.closed(32, 1);
  private static final Scenario ALONE = Scenario.closed(1, 1);

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());
  private final List<Load> loads = new ArrayList<>();

  /** All applications answer 1,000 requests per second, with 100 us of CPU time each. */
  @BeforeEach
  void allAlike() {
    for (Scenario scenario : SETTINGS.scenarios()) {
      for (Application application : Application.values()) {
        if (application.supports(scenario)) {
          load(application, scenario, 1, 1_000, 0.1);
        }
      }
    }
  }

  @Test
  void reportHasEveryScenario() {
    load(TIDEGATE, HOT, 1, 1_000, 0.11);
    assertThat(markdown())
        .contains("**Quick run**", "### One hot key", "### 100,000 keys")
        .contains(
            "| 32 connections, no limiter | 1000 | 1.00 | 100 | 0.0 | 1.00 | 50.0 | 90.0 | 10.0 | 50.0 |")
        .contains(
            "| 32 connections, Tidegate | 1000 | 1.00 | 110 | 10.0 | 0.90 | 50.0 | 90.0 | 11.0 | 50.0 |")
        .contains("| 1 connection, resilience4j's annotation |");
  }

  @Test
  void resilience4jHasNoKeys() {
    assertThat(markdown().split("resilience4j's annotation \\|", -1)).hasSize(1 + 2);
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = results().report(machine).json();
    assertThat(json.split("\"serverSeconds\": 0.1", -1)).hasSize(1 + 2 * (4 + 3));
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 2);
  }

  @Test
  void nineTenthsOfThePlainApplicationMeetTheTarget() {
    load(TIDEGATE, HOT, 1, 900, 0.1);
    assertThat(results().targets()).extracting(Target::met).containsExactly(true, true);
    load(TIDEGATE, HOT, 1, 899, 0.1);
    assertThat(results().targets()).extracting(Target::met).containsExactly(false, true);
  }

  @Test
  void aSingleConnectionHasNoTarget() {
    load(TIDEGATE, ALONE, 1, 1, 0.1);
    assertThat(results().targets()).hasSize(2).allMatch(Target::met);
  }

  @Test
  void applicationsAreComparedWithinARound() {
    load(PLAIN, HOT, 2, 100, 0.1);
    load(TIDEGATE, HOT, 2, 70, 0.1);
    load(TIDEGATE, HOT, 1, 900, 0.1);
    assertThat(results().targets().get(0).figure()).isEqualTo("0.80 [0.70..0.90]");
  }

  @Test
  void lossesNameTheLimiterThatCostsLess() {
    assertThat(results().losses()).isEmpty();
    load(TIDEGATE, HOT, 1, 800, 0.1);
    load(BUCKET4J, HOT, 1, 850, 0.1);
    load(RESILIENCE4J, HOT, 1, 700, 0.1);
    assertThat(results().losses())
        .containsExactly(
            "32 connections, one hot key: 0.80 of the plain application's requests per CPU second",
            "32 connections, one hot key, requests/s: 850 with bucket4j's starter, 800 with Tidegate",
            "32 connections, one hot key, CPU in µs: 118 with bucket4j's starter, 125 with Tidegate");
  }

  private void load(
      Application application, Scenario scenario, int round, long requests, double seconds) {
    loads.removeIf(load -> load.application() == application
        && load.scenario().equals(scenario)
        && load.round() == round);
    Outcome outcome =
        new Outcome(requests, 1, 0.5, new Latency(50, 90, 99, 100), new Latency(0, 1, 2, 3));
    loads.add(new Load(application, scenario, round, outcome, seconds));
  }

  private Results results() {
    return new Results(SETTINGS, new Rounds<>(loads));
  }

  private String markdown() {
    return results().report(machine).markdown();
  }
}
