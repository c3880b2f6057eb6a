package io.tidegate.benchmarks.http;

import static io.tidegate.benchmarks.http.ResultsFixture.CONSTANT;
import static io.tidegate.benchmarks.http.ResultsFixture.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private static final Scenario HOT = Scenario.closed(64, 1);
  private static final Scenario ALONE = Scenario.closed(1, 1);

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
    fixture.load(CONSTANT, HOT, 1, 1_000, 0.95);
    assertThat(markdown()).containsOnlyOnce("**The load generator was saturated**");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = fixture.results().report(machine).json();
    assertThat(json.split("\"micros\"", -1)).hasSize(1 + 10);
    assertThat(json.split("\"serverSeconds\": 0.01", -1)).hasSize(1 + 10);
    assertThat(json.split("\"heapBytes\"", -1)).hasSize(1 + 2 * 2);
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 3);
  }

  @Test
  void mostOfTheConstantMeetsTheTarget() {
    fixture.load(TIDEGATE, HOT, 1, 850);
    assertThat(verdict("hot key").met()).isTrue();
    fixture.load(TIDEGATE, HOT, 1, 849);
    assertThat(verdict("hot key").met()).isFalse();
    assertThat(verdict("100,000 keys").met()).isTrue();
  }

  @Test
  void manyKeysHaveATargetForCpuTime() {
    Scenario manyKeys = Scenario.closed(64, 100_000);
    fixture.load(TIDEGATE, manyKeys, 1, 953); // 10 ms of CPU time for all of them
    assertThat(verdict("10.5 µs of CPU").met()).isTrue();
    fixture.load(TIDEGATE, manyKeys, 1, 952);
    assertThat(verdict("10.5 µs of CPU").met()).isFalse();
  }

  @Test
  void fewConnectionsHaveNoTarget() {
    fixture.load(TIDEGATE, ALONE, 1, 1);
    assertThat(fixture.results().targets()).hasSize(3).allMatch(Target::met);
  }

  @Test
  void serversAreComparedWithinARound() {
    fixture
        .load(TIDEGATE, HOT, 1, 900)
        .load(CONSTANT, HOT, 1, 1_000)
        .load(TIDEGATE, HOT, 2, 70)
        .load(CONSTANT, HOT, 2, 100);
    assertThat(verdict("hot key").figure()).isEqualTo("0.80 [0.70..0.90]");
  }

  @Test
  void equalFiguresAreNoLoss() {
    assertThat(fixture.results().losses()).isEmpty();
  }

  @Test
  void everyScenarioWithFewerRequestsIsReported() {
    fixture.load(TIDEGATE, ALONE, 1, 500);
    assertThat(fixture.results().losses())
        .containsExactly(
            "1 connection, one hot key: 0.50 of the constant's requests, at 2.00 of its CPU time for"
                + " each");
  }

  @Test
  void anotherServerIsInEveryTableWithItsRefusals() {
    assertThat(markdown()).doesNotContain("429");
    for (Scenario scenario : ResultsFixture.SETTINGS.closedLoops()) {
      fixture.load("peer", scenario, 1, 2_000);
    }
    fixture.load("peer", new Scenario(64, 100_000, 50), 1, 500);
    assertThat(markdown())
        .contains("| 64 connections, peer | 2000 | 2.00 |")
        .contains("| 50.0 | 25 % | 20 % |")
        .contains("| 50 %, peer | 500 |")
        .contains("64 connections, one hot key, requests/s: 2000 with peer, 1000 with Tidegate");
    assertThat(verdict("hot key").met()).as("a peer changes no target").isTrue();
  }

  private Target verdict(String target) {
    return fixture.results().targets().stream()
        .filter(verdict -> verdict.text().contains(target))
        .findFirst()
        .orElseThrow();
  }

  private String markdown() {
    return fixture.results().report(machine).markdown();
  }
}
