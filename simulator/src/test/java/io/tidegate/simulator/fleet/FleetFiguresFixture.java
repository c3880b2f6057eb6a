package io.tidegate.simulator.fleet;

import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.fleet.FleetFigures.Effort;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;

/** Builds plausible figures, of which each test sets those it is about. */
final class FleetFiguresFixture {

  private final FleetSettings settings;
  private double rowsWritten = 60;
  private double pushes = 30;
  private long wrongDenials;
  private long failures;
  private double peakOfShared = 1.05;

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

  FleetFigures figures() {
    return new FleetFigures(
        settings,
        new Load(
            700,
            70,
            rowsWritten,
            rowsWritten / 4,
            4_000,
            2_000,
            pushes,
            33,
            2_000,
            new OriginLoad(600, 900, 200),
            new OriginLoad(80, 100, 30),
            160,
            1_200,
            0),
        0.1,
        PeakDistribution.of(new double[] {0.1, 0.5, 1}),
        PeakDistribution.of(new double[] {0.1, 0.5, peakOfShared}),
        PeakDistribution.of(new double[] {peakOfShared}),
        wrongDenials,
        failures,
        new Effort(120, 1.5, 1.2, 1_200_000));
  }
}
