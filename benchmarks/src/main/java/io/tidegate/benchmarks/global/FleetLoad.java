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
        Measurement measurement = new Measurement(fleet, driver, database);
        Pause.millis(settings.windowMillis());
        loads.add(new Load(policy, series, window, traffic.requestsPerWindow(), measurement.end()));
      }
      MariaDbMeter.Size table = database.size();
      probes.finish(settings.lastProbeMillis());
      return new Outcome(
          loads,
          new FleetEnd(policy, series, probes.samples(), probes.missing(), probes.millis(), table));
    }
  }

  /** The difference of all meters between two moments. */
  private static final class Measurement {

    private final Fleet fleet;
    private final Driver driver;
    private final MariaDbMeter database;
    private final long startNanos = System.nanoTime();
    private final double processSeconds = Cpu.processSeconds();
    private final ExchangeMeter.Reading exchanged;
    private final Driver.Reading driven;
    private final MariaDbMeter.Reading stored;

    Measurement(Fleet fleet, Driver driver, MariaDbMeter database) {
      this.fleet = fleet;
      this.driver = driver;
      this.database = database;
      driver.takeLatestMillis();
      fleet.meter().takeTickCpuMillis();
      fleet.meter().takePushMillis();
      fleet.meter().takePullMillis();
      this.exchanged = fleet.meter().read();
      this.driven = driver.read();
      this.stored = database.read();
    }

    WindowUse end() {
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      ExchangeMeter meter = fleet.meter();
      return new WindowUse(
          seconds,
          database.read().since(stored),
          meter.read().since(exchanged),
          driver.read().since(driven),
          driver.takeLatestMillis(),
          Cpu.processSeconds() - processSeconds,
          meter.takeTickCpuMillis(),
          meter.takePushMillis(),
          meter.takePullMillis());
    }
  }
}
