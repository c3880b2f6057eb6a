package io.tidegate.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());
  private final ResultsFixture fixture = ResultsFixture.steady();

  @Test
  void reportHasEveryLoad() {
    assertThat(markdown())
        .contains("**Quick run**")
        .contains("The maximum is 1000 requests/s")
        .contains("| 50 % | 500 | 500 | 0.50 | 0 | 1 | 0 | 1.00 | 10.00 | 30.00 | 20.0 | 100 | 7 |")
        .contains("| 200 % | 2000 | 1000 | 1.00 | 500 | 1 | 500 |")
        .contains("The highest rate that was answered is 1000 requests/s.")
        .doesNotContain("**The load generator was late**");
  }

  @Test
  void jsonHasEveryMeasuredFigure() {
    String json = fixture.results().report(machine).json();
    assertThat(json.split("\"timedOut\"", -1)).hasSize(1 + 2);
    assertThat(json.split("\"met\": true", -1)).hasSize(1 + 2);
  }

  @Test
  void overloadMayCostATwentiethOfTheHighestAnsweredRate() {
    fixture.step(50, 1_000, 1_000, 10, 0);
    fixture.step(200, 2_000, 950, 10, 0);
    assertThat(targets().get(0).met()).isTrue();
    fixture.step(200, 2_000, 949, 10, 0);
    assertThat(targets().get(0).met()).isFalse();
    assertThat(targets().get(0).figure()).isEqualTo("0.94");
  }

  @Test
  void latencyIsBoundedByTheConnections() {
    fixture.step(200, 2_000, 1_000, 200, 0);
    assertThat(targets().get(1).text()).contains("at most 200 ms").contains("100 connections");
    assertThat(targets().get(1).met()).isTrue();
    fixture.step(200, 2_000, 1_000, 201, 0);
    assertThat(targets().get(1).met()).isFalse();
  }

  @Test
  void lighterLoadsHaveNoTarget() {
    fixture.step(50, 500, 1, 999, 0);
    assertThat(targets()).allMatch(Target::met);
  }

  @Test
  void warnsOfALateLoadGenerator() {
    fixture.step(50, 500, 500, 10, 11);
    assertThat(markdown()).containsOnlyOnce("**The load generator was late**");
  }

  @Test
  void warnsOfAMaximumThatWasExceeded() {
    fixture.step(200, 2_000, 1_100, 10, 0);
    assertThat(markdown()).doesNotContain("**The maximum is not one**");
    fixture.step(200, 2_000, 1_101, 10, 0);
    assertThat(markdown()).containsOnlyOnce("**The maximum is not one**");
  }

  @Test
  void curvesHaveAPointForEveryLoad() {
    Curves curves = new Curves(fixture.results());
    assertThat(curves.rates().lines().get("answered"))
        .extracting(point -> point.x() + " " + point.y())
        .containsExactly("50.0 50.0", "200.0 100.0");
    assertThat(curves.rates().svg()).contains("Requests under overload");
    assertThat(curves.latencies().lines().get("p99"))
        .extracting(point -> point.y())
        .containsExactly(10.0, 10.0);
    assertThat(curves.latencies().svg()).contains("p99.9");
  }

  private List<Target> targets() {
    return fixture.results().targets();
  }

  private String markdown() {
    return fixture.results().report(machine).markdown();
  }
}
