package io.tidegate.simulator.overshoot;

import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What sharing counts is meant to reach, held against what was found. */
record OvershootTargets(OvershootSettings settings, TrialResults figures) {

  /** What a sketch of the policy gave, and a little for chance. */
  private static final Map<Double, Double> MOST = Map.of(2.0, 1.10, 10.0, 1.35);

  /** Its doublings, and what two nodes that push at the same moment tell twice. */
  private static final double MOST_ROWS_ALONE = 6;

  /** What is not worth a word: chance has as much. */
  private static final double NEGLIGIBLE = 0.02;

  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    for (double load : OvershootRun.CURVE_LOADS) {
      figures.find(TrafficPattern.EVEN, load, SharingPolicy.ADAPTIVE).ifPresent(outcome -> {
        double most = MOST.get(load);
        double worst = outcome.admission().worst();
        verdicts.add(new Verdict(
            "adaptive, %s %s: at most %s times the limit"
                .formatted(
                    TrafficPattern.EVEN.label(),
                    OvershootReport.times(load),
                    Words.roundedUp(most)),
            worst <= most,
            Words.roundedUp(worst)));
      });
    }
    verdicts.add(noWrongDenials());
    figures
        .find(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE)
        .ifPresent(outcome -> verdicts.add(new Verdict(
            "adaptive, one region 1x: at most %.0f rows written per window"
                .formatted(MOST_ROWS_ALONE),
            outcome.rowsWritten() <= MOST_ROWS_ALONE,
            Words.figure(outcome.rowsWritten()))));
    return verdicts;
  }

  private Verdict noWrongDenials() {
    long trials = 0;
    long wrong = 0;
    long denied = 0;
    for (Map.Entry<Case, TrialResult> each : figures.outcomes().entrySet()) {
      if (each.getKey().approach() instanceof SharingPolicy policy && policy.tells()) {
        trials++;
        wrong += each.getValue().admission().wronglyDenied();
        denied += each.getValue().admission().denied();
      }
    }
    return new Verdict(
        "whoever shares counts denies nobody whom one counter for all would have admitted",
        wrong == 0,
        "%s of %s denials in %d trials".formatted(Words.count(wrong), Words.count(denied), trials));
  }

  /** At the highest load of each shape. */
  List<String> whereWeLose() {
    List<String> losses = new ArrayList<>();
    for (TrafficPattern traffic : settings.traffics()) {
      if (traffic.ownLoad() == 0) {
        lose(traffic, Collections.max(settings.loads(traffic)), losses);
      }
    }
    return losses;
  }

  private void lose(TrafficPattern traffic, double load, List<String> losses) {
    figures.find(traffic, load, SharingPolicy.ADAPTIVE).ifPresent(ours -> {
      String where = traffic.label() + " " + OvershootReport.times(load) + ": ";
      String worst = Words.roundedUp(ours.admission().worst());
      mostAccurate(traffic, load).ifPresent(best -> {
        double least = figures.get(traffic, load, best).admission().worst();
        if (least < ours.admission().worst() - NEGLIGIBLE) {
          losses.add(where
              + "%s times the limit, %s with %s"
                  .formatted(worst, Words.roundedUp(least), best.label()));
        }
      });
      fewestRows(traffic, load).ifPresent(fewest -> {
        TrialResult theirs = figures.get(traffic, load, fewest);
        if (theirs.rowsWritten() < ours.rowsWritten() * (1 - NEGLIGIBLE)) {
          losses.add(where
              + "%s rows written, %s with %s, for %s times the limit instead of %s"
                  .formatted(
                      Words.figure(ours.rowsWritten()),
                      Words.figure(theirs.rowsWritten()),
                      fewest.label(),
                      Words.roundedUp(theirs.admission().worst()),
                      worst));
        }
      });
    });
  }

  private Optional<Approach> mostAccurate(TrafficPattern traffic, double load) {
    return Stream.concat(Stream.of(SingleCounter.PERFECT), settings.policies().stream())
        .min(Comparator.comparingDouble(
            each -> figures.get(traffic, load, each).admission().worst()));
  }

  private Optional<SharingPolicy> fewestRows(TrafficPattern traffic, double load) {
    return settings.policies().stream()
        .filter(SharingPolicy::tells)
        .min(Comparator.comparingDouble(each -> figures.get(traffic, load, each).rowsWritten()));
  }
}
