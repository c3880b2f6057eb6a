package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.load.Pause;
import java.time.Duration;
import java.util.List;

/** Measures a fleet under a load like production, after a window of warm-up. */
record FleetLoad(Database database, int windowMillis) {

  /** Adds a load for each window. */
  FleetEnd measure(Policy policy, int series, int windows, List<Load> loads) {
    Traffic traffic = new Traffic(series, windowMillis);
    Duration window = Duration.ofMillis(windowMillis);
    database.empty();
    try (Fleet fleet = new Fleet(database.jdbcUrl(), policy.policy(), window, pushed -> {});
        Driver driver = new Driver(fleet, traffic)) {
      Pause.millis(windowMillis);
      LagProbes probes = new LagProbes(fleet);
      for (int round = 1; round <= windows; round++) {
        fleet.meter().take();
        driver.take();
        Database.Reading before = database.read();
        Database.Usage usage = database.during(() -> Pause.millis(windowMillis));
        loads.add(new Load(
            policy,
            series,
            round,
            traffic.requestsPerWindow(),
            usage,
            database.read().since(before),
            fleet.meter().take(),
            driver.take()));
      }
      Database.Size table = database.size();
      probes.finish(windowMillis);
      return probes.end(policy, series, table);
    }
  }
}
