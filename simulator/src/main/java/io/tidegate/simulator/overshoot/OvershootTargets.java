package io.tidegate.simulator.overshoot;

import io.tidegate.report.Format;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The targets of sharing counts, and the trials in which another approach did better. */
record OvershootTargets(OvershootSettings settings, TrialResults results) {

  /** The results of a prototype of the policy, with a margin for chance. */
  private static final Map<Double, Double> MAX_WORST = Map.of(2.0, 1.10, 10.0, 1.35);

  /** One row per doubling of the count, and duplicates of two nodes that push at the same time. */
  private static final double MAX_ROWS_OF_ONE_REGION = 6;

  /** A difference that chance can explain. */
  private static final double NEGLIGIBLE = 0.02;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (double load : OvershootSettings.CURVE_LOADS) {
      results.find(TrafficPattern.EVEN, load, SharingPolicy.ADAPTIVE).ifPresent(result -> {
        double max = MAX_WORST.getOrDefault(load, 1.0);
        targets.add(new Target(
            "adaptive, %s %s: at most %s times the limit"
                .formatted(
                    TrafficPattern.EVEN.label(),
                    OvershootReport.times(load),
                    Format.ROUNDED_UP.of(max)),
            result.worst() <= max,
            Format.ROUNDED_UP.of(result.worst())));
      });
    }
    targets.add(noWrongDenials());
    results
        .find(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE)
        .ifPresent(result -> targets.add(new Target(
            "adaptive, one region 1x: at most %.0f rows written per window"
                .formatted(MAX_ROWS_OF_ONE_REGION),
            result.rowsWritten() <= MAX_ROWS_OF_ONE_REGION,
            Format.FIGURE.of(result.rowsWritten()))));
    return targets;
  }

  private Target noWrongDenials() {
    List<TrialResults.Row> rows = results.rows(
        setup -> setup.approach() instanceof SharingPolicy policy && policy.sharesCounts());
    long wrong =
        rows.stream().mapToLong(row -> row.result().decisions().wronglyDenied()).sum();
    long denied =
        rows.stream().mapToLong(row -> row.result().decisions().denied()).sum();
    return new Target(
        "policies that share counts deny no request that one counter for all would allow",
        wrong == 0,
        "%s of %s denials in %d trials"
            .formatted(Format.COUNT.of(wrong), Format.COUNT.of(denied), rows.size()));
  }

  /** Where another approach has less overshoot or writes fewer rows, at the highest load. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (TrafficPattern pattern : settings.patterns()) {
      if (!pattern.hasFixedLoad()) {
        Case ours =
            new Case(pattern, Collections.max(settings.loads(pattern)), SharingPolicy.ADAPTIVE);
        results.rows(ours::equals).forEach(row -> addLosses(row, losses));
      }
    }
    return losses;
  }

  private void addLosses(TrialResults.Row row, List<String> losses) {
    Case setup = row.setup();
    TrialResult ours = row.result();
    String where = setup.pattern().label() + " " + OvershootReport.times(setup.load()) + ": ";
    String worst = Format.ROUNDED_UP.of(ours.worst());
    leastOvershoot(setup).ifPresent(best -> {
      double least = results.get(setup.pattern(), setup.load(), best).worst();
      if (least < ours.worst() - NEGLIGIBLE) {
        losses.add(where
            + "%s times the limit, %s with %s"
                .formatted(worst, Format.ROUNDED_UP.of(least), best.label()));
      }
    });
    fewestRows(setup).ifPresent(fewest -> {
      TrialResult theirs = results.get(setup.pattern(), setup.load(), fewest);
      if (theirs.rowsWritten() < ours.rowsWritten() * (1 - NEGLIGIBLE)) {
        losses.add(where
            + "%s rows written, %s with %s, for %s times the limit instead of %s"
                .formatted(
                    Format.FIGURE.of(ours.rowsWritten()),
                    Format.FIGURE.of(theirs.rowsWritten()),
                    fewest.label(),
                    Format.ROUNDED_UP.of(theirs.worst()),
                    worst));
      }
    });
  }

  private Optional<Approach> leastOvershoot(Case setup) {
    return Stream.<Approach>concat(
            Stream.of(SingleCounter.SLIDING_WINDOW), settings.policies().stream())
        .min(Comparator.comparingDouble(
            each -> results.get(setup.pattern(), setup.load(), each).worst()));
  }

  private Optional<SharingPolicy> fewestRows(Case setup) {
    return settings.policies().stream()
        .filter(SharingPolicy::sharesCounts)
        .min(Comparator.comparingDouble(
            each -> results.get(setup.pattern(), setup.load(), each).rowsWritten()));
  }
}
