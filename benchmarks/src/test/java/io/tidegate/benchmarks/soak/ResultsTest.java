package io.tidegate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import io.tidegate.benchmarks.soak.Results.Row;
import io.tidegate.benchmarks.soak.Results.Stores;
import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private static final Settings SETTINGS =
      new Settings(true, true, 40, 10, 0, 1_000, 30, 1_000, 2, 10);

  private final Machine machine = new Machine(2, "CPU", "OS", "JVM", 0.1, List.of());
  private final List<Row> rows = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private Ledger ledger = new Ledger(4_000, 0, 4_000);

  /** Forty seconds without a failure, in which the memory is at 500 MB, and ten without load. */
  @BeforeEach
  void fill() {
    for (int second = 0; second < 40; second += 10) {
      rows.add(row(second, 0, 10));
    }
    rows.add(new Row(40, interval(0, 0, 0, Double.NaN)));
    for (int second = 0; second <= 40; second += 5) {
      samples.add(sample(second, 500));
    }
    for (int second = 45; second <= 50; second += 5) {
      samples.add(sample(second, 300));
    }
    outages.add(new Outage("Redis", 13.3, 2.5, 0.5));
    outages.add(new Outage("MariaDB", 26.6, 3.5, 1.5));
  }

  @Test
  void reportHasARowForEachInterval() {
    assertThat(markdown())
        .contains("40 s of load")
        .contains("| 0:00 | 100 | 0 | 7 | 1.00 | 5.00 | 10.00 | 500 | 200 |")
        .contains("| 0:30 | 100 | 0 | 7 |")
        .doesNotContain("| 0:40 |");
  }

  @Test
  void pausesOfTheCollectorArePerInterval() {
    assertThat(markdown()).contains("| 200 | 100 | 20.0 | 50 | 9 | 700,000 |");
  }

  @Test
  void restartsAreDescribed() {
    assertThat(markdown())
        .contains(
            "- Redis was killed after 13.3 s and answered again 2.5 s later; the server reported all"
                + " dependencies to work 0.5 s after that.")
        .contains("In these intervals 0 requests failed, 7 answers were degraded (those of 0.1 s)")
        .contains("- MariaDB was killed after 26.6 s");
  }

  @Test
  void aSteadyRunMeetsAllTargets() {
    assertThat(results().targets()).hasSize(7).allMatch(Target::met);
  }

  @Test
  void anyFailureMissesATarget() {
    rows.set(2, row(20, 1, 10));
    assertThat(missed()).containsExactly("no request failed");
  }

  @Test
  void aFailureAfterTheEndCountsToo() {
    rows.set(4, new Row(40, interval(0, 0, 1, Double.NaN)));
    assertThat(missed()).containsExactly("no request failed");
  }

  @Test
  void lostCountsMissATarget() {
    ledger = new Ledger(4_000, 0, 3_999);
    assertThat(missed()).containsExactly("Redis has counted what was admitted");
    ledger = new Ledger(4_000, 0, 4_001);
    assertThat(missed()).containsExactly("Redis has counted what was admitted");
  }

  @Test
  void requestsWithoutAnAnswerMayHaveBeenCounted() {
    ledger = new Ledger(4_000, 2, 4_002);
    assertThat(missed()).isEmpty();
    ledger = new Ledger(4_000, 2, 4_003);
    assertThat(missed()).hasSize(1);
  }

  @Test
  void memoryIsJudgedByTheSecondHalfOfTheLoad() {
    replaceUnderLoad(sample -> sample.second() < 20 ? 100 : 500);
    assertThat(results().residentSlope()).isCloseTo(0, within(1e-6));
    replaceUnderLoad(sample -> 500 + sample.second() / 60);
    assertThat(results().residentSlope()).isCloseTo(60, within(1e-6));
    assertThat(missed())
        .containsExactly("resident memory of the second half grows by at most 10 MB per hour");
  }

  @Test
  void memoryIsJudgedAfterTheStepsInWhichTheCollectorReturnsIt() {
    samples.clear();
    for (int second = 0; second <= 40; second++) { // 400 MB once in 3 s, in between up to 600
      samples.add(sample(second, 400 + 100 * (second % 3)));
    }
    assertThat(results().residentSlope()).isCloseTo(0, within(1e-6));
  }

  private void replaceUnderLoad(ToDoubleFunction<Sample> residentMegabytes) {
    samples.replaceAll(sample -> sample.second() > 40
        ? sample
        : sample(sample.second(), residentMegabytes.applyAsDouble(sample)));
  }

  @Test
  void memoryThatIsNotReturnedMissesATarget() {
    samples.replaceAll(sample -> sample(sample.second(), 500));
    assertThat(missed())
        .containsExactly("the server returns memory after the load: 80 % or less is resident");
  }

  @Test
  void memoryAfterTheLoadIsReported() {
    assertThat(markdown())
        .contains("Resident memory was 500 MB with 700,000 series when the load ended, and 300 MB"
            + " with 700,000 series 10 s later.");
  }

  @Test
  void latencyIsJudgedInTheMedianAndTheWorstInterval() {
    rows.set(0, row(0, 0, 401));
    assertThat(missed()).containsExactly("p99.9 at most 400 ms in every interval");
    rows.set(1, row(10, 0, 100));
    rows.set(2, row(20, 0, 100));
    assertThat(missed()).hasSize(2);
  }

  @Test
  void aServerThatDoesNotRecoverMissesATarget() {
    outages.set(1, new Outage("MariaDB", 26.6, 3.5, Double.POSITIVE_INFINITY));
    assertThat(missed()).containsExactly("the server recovered from both restarts");
    assertThat(markdown()).contains("**did not recover**");
  }

  private List<String> missed() {
    return results().targets().stream()
        .filter(target -> !target.met())
        .map(Target::text)
        .toList();
  }

  private static Row row(int second, long timedOut, double p999Millis) {
    return new Row(second, interval(1_000, 7, timedOut, p999Millis));
  }

  private static Interval interval(long answered, long degraded, long timedOut, double p999Millis) {
    Latency latency = new Latency(1_000, 5_000, p999Millis * 1e3, 1e6);
    return new Interval(
        10, answered + timedOut, answered, degraded, 0, 0, 0, timedOut, 0, 64, latency, latency);
  }

  private static Sample sample(double second, double residentMegabytes) {
    return new Sample(
        second, residentMegabytes * 1e6, 200e6, second / 100, 0.02, 50, 9, 700_000, 0);
  }

  private Results results() {
    return new Results(
        SETTINGS,
        200,
        100,
        rows,
        new Stores(samples, outages),
        ledger,
        new Usage(180_000_000, 700_000),
        "");
  }

  private String markdown() {
    return results().report(machine).markdown();
  }
}
