package io.tidegate.simulator.fleet;

import io.tidegate.simulator.fleet.Figures.Effort;
import io.tidegate.simulator.fleet.Figures.OriginLoad;

/** Figures as a simulation would give them, in which each test sets what it is about. */
final class FiguresFixture {

  private final Plan plan;
  private double rowsWritten = 60;
  private double pushes = 30;
  private long wrongDenials;
  private long failures;
  private double worstOfShared = 1.05;

  FiguresFixture(Shape shape, int sample) {
    this(shape, sample, Policy.ADAPTIVE);
  }

  FiguresFixture(Shape shape, int sample, Policy policy) {
    this.plan = new Plan(shape, sample, policy, 1_000_000, 2, 1);
  }

  FiguresFixture rowsWritten(double rows) {
    this.rowsWritten = rows;
    return this;
  }

  FiguresFixture pushes(double calls) {
    this.pushes = calls;
    return this;
  }

  FiguresFixture wrongDenials(long denials) {
    this.wrongDenials = denials;
    return this;
  }

  FiguresFixture failures(long calls) {
    this.failures = calls;
    return this;
  }

  FiguresFixture worstOfShared(double worst) {
    this.worstOfShared = worst;
    return this;
  }

  Figures figures() {
    return new Figures(
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
        Admission.of(new double[] {0.1, 0.5, 1}),
        Admission.of(new double[] {0.1, 0.5, worstOfShared}),
        Admission.of(new double[] {worstOfShared}),
        70,
        wrongDenials,
        failures,
        new Effort(120, 1.5, 1.2, 1_200_000));
  }
}
