package io.tidegate.simulator.fleet;

import io.tidegate.report.Format;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The targets of fleets of any size. The speed of the simulation is none of them, because it
 * depends on the machine.
 */
record FleetTargets(List<FleetFigures> figures) {

  /** The rate of written rows that the reference design expects for the reference system. */
  private static final int MAX_ROWS = 6_000;

  private static final double MAX_PEAK = 1.3;
  private static final double MAX_PEAK_AT_P99 = 1.1;

  /** Number of standard errors that a sum exceeds by chance once in several hundred times. */
  private static final double MAX_ERRORS = 3;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (FleetFigures one : figures) {
      addTargets(one, targets);
    }
    for (FleetFigures one : figures) {
      if (!one.settings().isFull()) {
        figures.stream()
            .filter(other -> other.settings().isFull()
                && other.settings().size().equals(one.settings().size()))
            .findFirst()
            .ifPresent(full -> targets.add(agreement(full, one)));
      }
    }
    return targets;
  }

  boolean allMet() {
    return targets().stream().allMatch(Target::met);
  }

  private static void addTargets(FleetFigures one, List<Target> targets) {
    String label = one.label() + ": ";
    targets.add(new Target(
        label + "no request is denied that a single counter would allow",
        one.wrongDenials() == 0,
        Format.COUNT.of(one.wrongDenials()) + " of "
            + Format.MANY.of(one.sampled().denials()) + " denials a second"));
    targets.add(new Target(
        label + "no call fails, and no loss of counts is reported",
        one.failures() == 0,
        Format.COUNT.of(one.failures())));
    if (one.settings().policy().equals(SharingPolicy.FLOOR)) {
      return; // the policy of the reference design has to be correct only
    }
    double maxRows = MAX_ROWS * one.settings().size().times();
    double rows = one.whole().rowsWritten();
    targets.add(new Target(
        label
            + "at most the %s rows/s that the reference design expects to be written"
                .formatted(Format.COUNT.of(maxRows)),
        rows <= maxRows,
        Format.MANY.of(rows) + " rows/s"));
    PeakDistribution shared = one.sharedPeaks();
    targets.add(new Target(
        label
            + "series used in several regions are admitted at most 1.1 times the limit at p99 and 1.3 times in all",
        shared.p99() <= MAX_PEAK_AT_P99 && shared.max() <= MAX_PEAK,
        String.format(Locale.ROOT, "%.2f, at most %.2f", shared.p99(), shared.max())));
  }

  private static Target agreement(FleetFigures full, FleetFigures sample) {
    double difference = sample.whole().rowsWritten() / full.whole().rowsWritten() - 1;
    double errors = Math.abs(difference) / sample.rowsError();
    return new Target(
        "%s agrees with all series on the rows written, within three standard errors"
            .formatted(sample.label()),
        errors <= MAX_ERRORS,
        String.format(Locale.ROOT, "%.1f standard errors", errors));
  }
}
