package io.tidegate.simulator.fleet;

import io.tidegate.simulator.fleet.FleetFigures.Effort;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;

/** FleetFigures as a simulation would give them, in which each test sets what it is about. */
final class FleetFiguresFixture {

  private final FleetSettings plan;
  private double rowsWritten = 60;
  private double pushes = 30;
  private long wrongDenials;
  private long failures;
  private double worstOfShared = 1.05;

  FleetFiguresFixture(FleetSize shape, int sample) {
    this(shape, sample, Policy.ADAPTIVE);
  }

  FleetFiguresFixture(FleetSize shape, int sample, Policy policy) {
    this.plan = new FleetSettings(shape, sample, policy, 1_000_000, 2, 1);
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

  FleetFiguresFixture worstOfShared(double worst) {
    this.worstOfShared = worst;
    return this;
  }

  FleetFigures figures() {
    return new FleetFigures(
        plan,
        700,
        rowsWritten,
        0.1,
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
        0,
        PeakDistribution.of(new double[] {0.1, 0.5, 1}),
        PeakDistribution.of(new double[] {0.1, 0.5, worstOfShared}),
        PeakDistribution.of(new double[] {worstOfShared}),
        70,
        wrongDenials,
        failures,
        new Effort(120, 1.5, 1.2, 1_200_000));
  }
}
