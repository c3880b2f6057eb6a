package io.tidegate.simulator.overshoot;

import static io.tidegate.simulator.overshoot.OvershootReport.times;

import io.tidegate.report.Format;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The targets of sharing counts, and the trials in which another approach did better. */
record OvershootTargets(OvershootSettings settings, TrialResults results) {

  /** One row per doubling of the count, and duplicates of two nodes that push at the same time. */
  private static final double MAX_ROWS_OF_ONE_REGION = 6;

  /** A difference that chance can explain. */
  private static final double NEGLIGIBLE = 0.02;

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    // The results of a prototype of the policy, with a margin for chance.
    addOvershoot(2, 1.10, targets);
    addOvershoot(10, 1.35, targets);
    targets.add(noWrongDenials());
    results.find(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE).ifPresent(result -> {
      double rows = result.exchange().rowsWritten();
      targets.add(new Target(
          "adaptive, one region 1x: at most 6 rows written per window",
          rows <= MAX_ROWS_OF_ONE_REGION,
          Format.FIGURE.of(rows)));
    });
    return targets;
  }

  private void addOvershoot(double load, double max, List<Target> targets) {
    String text = "adaptive, %s %s: at most %s times the limit"
        .formatted(TrafficPattern.EVEN.label(), times(load), Format.ROUNDED_UP.of(max));
    results
        .find(TrafficPattern.EVEN, load, SharingPolicy.ADAPTIVE)
        .map(TrialResult::worst)
        .ifPresent(
            worst -> targets.add(new Target(text, worst <= max, Format.ROUNDED_UP.of(worst))));
  }

  private Target noWrongDenials() {
    List<Row> rows = results.rows(
        setup -> setup.approach() instanceof SharingPolicy policy && policy.sharesCounts());
    long wrong = rows.stream().mapToLong(row -> row.result().wronglyDenied()).sum();
    long denied = rows.stream().mapToLong(row -> row.result().denied()).sum();
    return new Target(
        "policies that share counts deny no request that one counter for all would allow",
        wrong == 0,
        "%s of %s denials in %d trials"
            .formatted(Format.COUNT.of(wrong), Format.COUNT.of(denied), rows.size()));
  }

  /** Where another approach has less overshoot or writes fewer rows, at the highest load. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    double load = Collections.max(settings.loads());
    for (TrafficPattern pattern : settings.patterns()) {
      if (!pattern.hasFixedLoad()) {
        results
            .find(pattern, load, SharingPolicy.ADAPTIVE)
            .ifPresent(ours -> addLosses(pattern, load, ours, losses));
      }
    }
    return losses;
  }

  private void addLosses(
      TrafficPattern pattern, double load, TrialResult ours, List<String> losses) {
    List<Row> rows = results.rows(setup -> setup.pattern() == pattern && setup.load() == load);
    String where = pattern.label() + " " + times(load) + ": ";
    String worst = Format.ROUNDED_UP.of(ours.worst());
    Row best = least(
        rows,
        approach -> approach == SingleCounter.SLIDING_WINDOW || isCompared(approach),
        TrialResult::worst);
    if (best.result().worst() < ours.worst() - NEGLIGIBLE) {
      losses.add(where
          + "%s times the limit, %s with %s"
              .formatted(worst, Format.ROUNDED_UP.of(best.result().worst()), best.label()));
    }
    double ourRows = ours.exchange().rowsWritten();
    Row fewest = least(
        rows,
        approach -> isCompared(approach) && ((SharingPolicy) approach).sharesCounts(),
        result -> result.exchange().rowsWritten());
    double fewestRows = fewest.result().exchange().rowsWritten();
    if (fewestRows < ourRows * (1 - NEGLIGIBLE)) {
      losses.add(where
          + "%s rows written, %s with %s, for %s times the limit instead of %s"
              .formatted(
                  Format.FIGURE.of(ourRows),
                  Format.FIGURE.of(fewestRows),
                  fewest.label(),
                  Format.ROUNDED_UP.of(fewest.result().worst()),
                  worst));
    }
  }

  private boolean isCompared(Approach approach) {
    return approach instanceof SharingPolicy policy && settings.policies().contains(policy);
  }

  private static Row least(
      List<Row> rows, Predicate<Approach> which, ToDoubleFunction<TrialResult> figure) {
    return rows.stream()
        .filter(row -> which.test(row.setup().approach()))
        .min(Comparator.comparingDouble(row -> figure.applyAsDouble(row.result())))
        .orElseThrow();
  }
}
