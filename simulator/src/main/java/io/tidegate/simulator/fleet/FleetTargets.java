package io.tidegate.simulator.fleet;

import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a fleet must do, whatever its size. How fast it is simulated is not among it: that depends
 * on the machine, and these do not.
 */
record FleetTargets(List<FleetFigures> figures) {

  /** What the RFC expects to be written at most, for its own shape. */
  private static final int MOST_ROWS = 6_000;

  private static final double MOST_ADMITTED = 1.3;
  private static final double MOST_ADMITTED_USUALLY = 1.1;

  /** By chance, a sum is further off than that once in a hundred times. */
  private static final double MOST_ERRORS = 3;

  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    for (FleetFigures one : figures) {
      each(one, verdicts);
    }
    for (FleetFigures one : figures) {
      if (!one.plan().isFull()) {
        figures.stream()
            .filter(other ->
                other.plan().isFull() && other.plan().shape().equals(one.plan().shape()))
            .findFirst()
            .ifPresent(full -> verdicts.add(agreement(full.whole(), one.whole())));
      }
    }
    return verdicts;
  }

  boolean allMet() {
    return verdicts().stream().allMatch(Verdict::met);
  }

  private static void each(FleetFigures one, List<Verdict> verdicts) {
    FleetSettings plan = one.plan();
    String label = plan.label() + ": ";
    verdicts.add(new Verdict(
        label + "nobody is denied whom one counter for all would have admitted",
        one.wrongDenials() == 0,
        Words.count(one.wrongDenials()) + " of " + Words.many(one.denials())
            + " denials a second"));
    verdicts.add(new Verdict(
        label + "no call fails, and nobody finds a count lost",
        one.failures() == 0,
        Words.count(one.failures()) + " did"));
    if (plan.policy() == Policy.RFC) {
      return; // whose promises are not ours
    }
    double mostRows = MOST_ROWS * plan.shape().times();
    double rows = one.whole().rowsWritten();
    verdicts.add(new Verdict(
        label
            + "at most the %s rows/s that the RFC expects to be written"
                .formatted(Words.count(Math.round(mostRows))),
        rows <= mostRows,
        Words.many(rows) + " rows/s"));
    verdicts.add(new Verdict(
        label
            + "of series that are used in several regions, at most 1.1 times the limit is admitted at p99, and never 1.3 times",
        one.shared().p99() <= MOST_ADMITTED_USUALLY && one.shared().max() <= MOST_ADMITTED,
        times(one.shared().p99()) + ", at most " + times(one.shared().max())));
  }

  private static Verdict agreement(FleetFigures full, FleetFigures sample) {
    double errors = Math.abs(sample.rowsWritten() / full.rowsWritten() - 1) / sample.rowsError();
    return new Verdict(
        "%s agrees with all series on the rows written, within three standard errors"
            .formatted(sample.plan().label()),
        errors <= MOST_ERRORS,
        String.format(Locale.ROOT, "%.1f of them", errors));
  }

  private static String times(double times) {
    return String.format(Locale.ROOT, "%.2f", times);
  }
}
