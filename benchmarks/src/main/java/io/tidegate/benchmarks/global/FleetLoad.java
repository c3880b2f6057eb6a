package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Lag;
import io.tidegate.benchmarks.GlobalFigures.Load;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lets a fleet work at the pace of production, and looks at what that asks of the database. */
record GlobalLoad(MariaDbServer server, GlobalSettings settings) {

  /** What was found in one run of a fleet. */
  record Outcome(List<Load> loads, Lag lag) {}

  Outcome measure(GlobalPolicy policy, GlobalTraffic traffic, int series, int windows) {
    MariaDbMeter database = new MariaDbMeter(server);
    database.empty();
    List<Load> loads = new ArrayList<>();
    try (GlobalFleet fleet = new GlobalFleet(
            server.jdbcUrl(),
            policy.policy(),
            Duration.ofMillis(settings.windowMillis()),
            pushed -> {});
        GlobalDriver driver = new GlobalDriver(fleet, traffic)) {
      Pause.millis(settings.warmupMillis());
      GlobalProbes probes = new GlobalProbes(fleet, settings.probesPerSecond());
      for (int window = 1; window <= windows; window++) {
        Measurement measurement = new Measurement(fleet, driver, database);
        Pause.millis(settings.windowMillis());
        loads.add(new Load(
            policy,
            series,
            window,
            traffic.requestsPerWindow(),
            measurement.end(),
            database.size()));
      }
      probes.finish(settings.lastProbeMillis());
      return new Outcome(
          loads, new Lag(policy, series, probes.samples(), probes.unknown(), probes.millis()));
    }
  }

  /** All meters, from one moment to another. */
  private static final class Measurement {

    private final GlobalFleet fleet;
    private final GlobalDriver driver;
    private final MariaDbMeter database;
    private final long beganNanos = System.nanoTime();
    private final double processSeconds = Cpu.processSeconds();
    private final ExchangeMeter.Reading exchanged;
    private final GlobalDriver.Reading driven;
    private final MariaDbMeter.Reading stored;

    Measurement(GlobalFleet fleet, GlobalDriver driver, MariaDbMeter database) {
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

    GlobalUse end() {
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      ExchangeMeter meter = fleet.meter();
      return new GlobalUse(
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
