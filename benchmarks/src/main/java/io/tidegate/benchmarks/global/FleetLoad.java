package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures a fleet under a load like production. */
record FleetLoad(MariaDbServer server, Settings settings) {

  record Outcome(List<Load> loads, FleetEnd end) {}

  Outcome measure(Policy policy, Traffic traffic, int series, int windows) {
    MariaDbMeter database = new MariaDbMeter(server);
    database.empty();
    List<Load> loads = new ArrayList<>();
    try (Fleet fleet = new Fleet(
            server.jdbcUrl(),
            policy.policy(),
            Duration.ofMillis(settings.windowMillis()),
            pushed -> {});
        Driver driver = new Driver(fleet, traffic)) {
      Pause.millis(settings.warmupMillis());
      LagProbes probes = new LagProbes(fleet, settings.probesPerSecond());
      for (int window = 1; window <= windows; window++) {
        WindowUse use = measure(fleet, driver, database, settings.windowMillis());
        loads.add(new Load(policy, series, window, traffic.requestsPerWindow(), use));
      }
      MariaDbMeter.Size table = database.size();
      probes.finish(settings.lastProbeMillis());
      return new Outcome(
          loads,
          new FleetEnd(policy, series, probes.samples(), probes.missing(), probes.millis(), table));
    }
  }

  private static WindowUse measure(Fleet fleet, Driver driver, MariaDbMeter database, int millis) {
    fleet.meter().take();
    driver.take();
    MariaDbMeter.Reading before = database.read();
    long startNanos = System.nanoTime();
    double processSeconds = Cpu.processSeconds();
    Pause.millis(millis);
    return new WindowUse(
        (System.nanoTime() - startNanos) / 1e9,
        database.read().since(before),
        fleet.meter().take(),
        driver.take(),
        Cpu.processSeconds() - processSeconds);
  }
}
