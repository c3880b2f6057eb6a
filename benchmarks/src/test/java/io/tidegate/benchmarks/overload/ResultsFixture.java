package io.tidegate.benchmarks.overload;

import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.overload.Results.Step;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** Results of a server whose maximum is 1,000 requests per second. */
final class ResultsFixture {

  static final Settings SETTINGS =
      new Settings(true, false, 1, 1, 100, List.of(50, 200), 100, 100, 1_000);

  private final List<Step> steps = new ArrayList<>();

  /** A server that answers what it can within 10 ms. */
  static ResultsFixture steady() {
    return new ResultsFixture().step(50, 500, 500, 10, 0).step(200, 2_000, 1_000, 10, 0);
  }

  /** A second of one load; half of what is not answered is refused. */
  ResultsFixture step(
      int percent, long offered, long answered, double p99Millis, double delayMillis) {
    steps.removeIf(step -> step.percent() == percent);
    long refused = (offered - answered) / 2;
    Latency latency = new Latency(1_000, p99Millis * 1e3, 30_000, 40_000);
    Latency delay = new Latency(0, delayMillis * 1e3, 0, 0);
    Interval interval =
        new Interval(1, offered, answered, 0, refused, 0, 0, 1, refused, 7, latency, delay);
    steps.add(new Step(percent, 1, 1_000, interval, 0.01, 100_000_000));
    return this;
  }

  Results results() {
    return new Results(SETTINGS, new Rounds<>(steps));
  }
}
