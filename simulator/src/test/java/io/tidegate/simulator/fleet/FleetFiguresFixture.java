package io.tidegate.simulator.fleet;

import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.Peaks;
import java.util.EnumMap;
import java.util.Map;

/** Builds plausible figures, of which each test sets those it is about. */
final class FleetFiguresFixture {

  private final FleetSettings settings;
  private double rowsWritten = 60;
  private double rowsRead = 1_000;
  private double pushes = 30;
  private long wrongDenials;
  private long failures;
  private double peakOfShared = 1.05;
  private NodeMemory memory = new NodeMemory(150, 250);

  FleetFiguresFixture(FleetSize size, int sample) {
    this(size, sample, SharingPolicy.ADAPTIVE);
  }

  FleetFiguresFixture(FleetSize size, int sample, SharingPolicy policy) {
    this.settings = new FleetSettings(size, sample, policy, 1_000_000, 2, 1);
  }

  FleetFiguresFixture rowsWritten(double rows) {
    this.rowsWritten = rows;
    return this;
  }

  FleetFiguresFixture rowsRead(double rows) {
    this.rowsRead = rows;
    return this;
  }

  FleetFiguresFixture pushes(double calls) {
    this.pushes = calls;
    return this;
  }

  FleetFiguresFixture wrongDenials(long denials) {
    this.wrongDenials = denials;
    return this;
  }

  FleetFiguresFixture failures(long calls) {
    this.failures = calls;
    return this;
  }

  FleetFiguresFixture peakOfShared(double peak) {
    this.peakOfShared = peak;
    return this;
  }

  FleetFiguresFixture memory(NodeMemory of) {
    this.memory = of;
    return this;
  }

  private Map<Load, Double> load() {
    Map<Load, Double> load = new EnumMap<>(Load.class);
    load.put(Load.REQUESTS, 700.0);
    load.put(Load.DENIALS, 70.0);
    load.put(Load.ROWS_WRITTEN, rowsWritten);
    load.put(Load.SHARED_ROWS_WRITTEN, rowsWritten / 4);
    load.put(Load.ROWS_READ, rowsRead);
    load.put(Load.LIVE_ROWS, 2_000.0);
    load.put(Load.PUSHES, pushes);
    load.put(Load.PULLS, 40.0);
    load.put(Load.OWN_PULLS, 0.5);
    load.put(Load.COUNTS_REPLAYED, 600.0);
    load.put(Load.COUNTS_STORED, 100.0);
    load.put(Load.CELLS_READ, 900.0);
    load.put(Load.CELLS_CHECKED, 200.0);
    load.put(Load.USED_SERIES, 160.0);
    load.put(Load.HELD_SERIES, 200.0);
    return load;
  }

  FleetFigures figures() {
    return new FleetFigures(
        settings,
        FleetFigures.extrapolated(load(), settings.sample(), settings.rounds()),
        memory,
        0.1,
        Peaks.of(new double[] {0.1, 0.5, 1}),
        Peaks.of(new double[] {0.1, 0.5, peakOfShared}),
        wrongDenials,
        failures,
        80,
        100);
  }
}
