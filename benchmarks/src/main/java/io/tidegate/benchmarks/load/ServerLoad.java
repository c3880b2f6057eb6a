package io.tidegate.benchmarks.load;

import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.report.Report;
import java.util.List;

/** A load that one server answered in one round, with the figures that benchmarks report on it. */
public interface ServerLoad {

  /** Above this CPU share of its thread, the load generator limits the measured throughput. */
  int BUSY_PERCENT = 90;

  Outcome outcome();

  /** CPU time of the server; NaN if unknown. */
  double serverSeconds();

  /** Whether each request followed an answer. Otherwise requests were sent at a fixed rate. */
  boolean unthrottled();

  default double perSecond() {
    return outcome().perSecond();
  }

  /** CPU time of the server per request. */
  default double cpuMicros() {
    return 1e6 * serverSeconds() / outcome().requests();
  }

  default double perCpuSecond() {
    return outcome().requests() / serverSeconds();
  }

  default double serverPercent() {
    return 100 * serverSeconds() / outcome().seconds();
  }

  default double loadPercent() {
    return outcome().loadPercent();
  }

  /** At a fixed rate the generator polls, and always uses all of its core. */
  private boolean saturatesGenerator() {
    return unthrottled() && loadPercent() > BUSY_PERCENT;
  }

  /** Adds a warning to a report if the load generator had too little CPU time for some loads. */
  static void warnOfSaturation(Report report, List<? extends ServerLoad> loads) {
    if (loads.stream().anyMatch(ServerLoad::saturatesGenerator)) {
      report.paragraph(
          "**The load generator was saturated**: its thread used more than %d %% of a core in some lines. There the"
                  .formatted(BUSY_PERCENT)
              + " servers could have answered more requests.");
    }
  }
}
