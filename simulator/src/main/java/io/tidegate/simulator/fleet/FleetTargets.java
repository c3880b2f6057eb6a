package io.tidegate.simulator.fleet;

import io.tidegate.report.Format;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.Peaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The targets of fleets of any size. The speed of the simulation is none of them, because it
 * depends on the machine.
 */
record FleetTargets(List<FleetFigures> fleets) {

  /** The rate of written rows that the reference design expects for the reference system. */
  private static final int MAX_ROWS = 6_000;

  /** Number of standard errors that a sum exceeds by chance once in several hundred times. */
  private static final double MAX_ERRORS = 3;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    fleets.forEach(one -> addTargets(one, targets));
    fleets.forEach(one -> full(one).ifPresent(full -> targets.add(agreement(full, one))));
    return targets;
  }

  /** The figures of all series of a fleet of which another simulation has a sample. */
  Optional<FleetFigures> full(FleetFigures sample) {
    return fleets.stream()
        .filter(each -> each.settings().isFull()
            && !sample.settings().isFull()
            && each.settings().size().equals(sample.settings().size()))
        .findFirst();
  }

  private static void addTargets(FleetFigures one, List<Target> targets) {
    String label = one.label() + ": ";
    targets.add(new Target(
        label + "no request is denied that a single counter would allow",
        one.wrongDenials() == 0,
        Format.COUNT.of(one.wrongDenials()) + " of " + Format.MANY.of(one.sampled(Load.DENIALS))
            + " denials a second"));
    targets.add(new Target(
        label + "no call fails, and no loss of counts is reported",
        one.failures() == 0,
        Format.COUNT.of(one.failures())));
    if (one.settings().policy().equals(SharingPolicy.FLOOR)) {
      return; // the policy of the reference design has to be correct only
    }
    double maxRows = MAX_ROWS * one.settings().size().times();
    double rows = one.whole(Load.ROWS_WRITTEN);
    targets.add(new Target(
        "%sat most the %s rows/s that the reference design expects to be written"
            .formatted(label, Format.COUNT.of(maxRows)),
        rows <= maxRows,
        Format.MANY.of(rows) + " rows/s"));
    Peaks shared = one.sharedPeaks();
    targets.add(new Target(
        label
            + "series used in several regions are admitted at most 1.1 times the limit at p99 and 1.3 times in all",
        shared.p99() <= 1.1 && shared.max() <= 1.3,
        String.format(Locale.ROOT, "%.2f, at most %.2f", shared.p99(), shared.max())));
  }

  private static Target agreement(FleetFigures full, FleetFigures sample) {
    double ratio = sample.whole(Load.ROWS_WRITTEN) / full.whole(Load.ROWS_WRITTEN);
    double errors = Math.abs(ratio - 1) / sample.rowsError();
    return new Target(
        sample.label()
            + " agrees with all series on the rows written, within three standard errors",
        errors <= MAX_ERRORS,
        String.format(Locale.ROOT, "%.1f standard errors", errors));
  }
}
