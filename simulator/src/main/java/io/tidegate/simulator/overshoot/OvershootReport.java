package io.tidegate.simulator.overshoot;

import io.tidegate.report.Markdown;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Words;
import io.tidegate.simulator.overshoot.Ledger.Admission;
import io.tidegate.simulator.overshoot.TrialResult.Telling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What a run has found, in Markdown. */
record OvershootReport(OvershootSettings settings, TrialResults figures) {

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    for (TrafficPattern traffic : settings.traffics()) {
      if (traffic.ownLoad() == 0) {
        shape(traffic, markdown);
      }
    }
    for (TrafficPattern traffic : settings.traffics()) {
      if (traffic.ownLoad() > 0) {
        failureMode(traffic, markdown);
      }
    }
    if (settings.curves()) {
      OvershootRun.CURVE_LOADS.forEach(load -> curves(load, markdown));
    }
    OvershootTargets targets = new OvershootTargets(settings, figures);
    markdown.targets(targets.verdicts());
    markdown.losses(targets.whereWeLose());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    markdown.line("%d regions of %d nodes each, one series with a limit of %s per window, seed %d."
        .formatted(
            settings.regions(), settings.nodes(), Words.count(settings.limit()), settings.seed()));
    if (settings.quick()) {
      markdown.paragraph(
          "**A quick run**, for a first look: fewer nodes, windows and loads. Its targets are told, and are not held to.");
    }
    markdown.paragraph(
        "Columns with a load have the most that was accepted in any time of a window's length, by the limit, and the rows"
            + " written per window. The others are at the highest load: the worst of each window on average, rows read"
            + " by all nodes per window, how long until a node of another region was told of a token, and how many it"
            + " was never told of. Wrongly denied are those whom one counter for all would have admitted, at all loads.");
  }

  private void shape(TrafficPattern traffic, Markdown markdown) {
    markdown.heading(traffic.label());
    markdown.line(traffic.description());
    markdown.line("");
    List<Double> loads = settings.loads(traffic);
    List<String> header = new ArrayList<>(List.of(""));
    loads.forEach(load -> header.add(times(load)));
    header.addAll(
        List.of("mean worst", "wrongly denied", "rows read", "lag p50, s", "p99, s", "never told"));
    markdown.header(header);
    approaches().forEach(approach -> {
      List<String> cells = new ArrayList<>();
      loads.forEach(load -> cells.add(worstAndRows(figures.get(traffic, load, approach))));
      TrialResult last = figures.get(traffic, Collections.max(loads), approach);
      cells.add(Words.roundedUp(last.admission().mean()));
      cells.add(Words.count(loads.stream()
          .mapToLong(load -> figures.get(traffic, load, approach).admission().wronglyDenied())
          .sum()));
      cells.addAll(telling(last));
      markdown.row(approach.label(), cells);
    });
  }

  private static List<String> telling(TrialResult outcome) {
    Telling telling = outcome.telling();
    if (telling == null) {
      return Collections.nCopies(4, Words.UNMEASURED);
    }
    Percentiles lag = telling.lagSeconds();
    return List.of(
        Words.many(telling.rowsRead()),
        lag == null ? Words.UNMEASURED : Words.figure(lag.p50()),
        lag == null ? Words.UNMEASURED : Words.figure(lag.p99()),
        Words.percent(telling.untold()));
  }

  private static String worstAndRows(TrialResult outcome) {
    String worst = Words.roundedUp(outcome.admission().worst());
    Telling telling = outcome.telling();
    return telling == null ? worst : worst + " / " + Words.figure(telling.rowsWritten());
  }

  private void failureMode(TrafficPattern traffic, Markdown markdown) {
    markdown.heading(traffic.label());
    markdown.line(traffic.description());
    markdown.line("");
    markdown.header(
        List.of("", "requests", "denied", "wrongly denied", "of all", "worst", "rows written"));
    double load = traffic.ownLoad();
    approaches().forEach(approach -> {
      TrialResult outcome = figures.get(traffic, load, approach);
      Admission admission = outcome.admission();
      Telling telling = outcome.telling();
      markdown.row(
          approach.label(),
          List.of(
              Words.count(admission.asked()),
              Words.count(admission.denied()),
              Words.count(admission.wronglyDenied()),
              Words.percent(admission.wronglyDenied() / (double) admission.asked()),
              Words.roundedUp(admission.worst()),
              telling == null ? Words.UNMEASURED : Words.figure(telling.rowsWritten())));
    });
  }

  private void curves(double load, Markdown markdown) {
    markdown.heading(
        "accuracy and rows, by pace, %s %s".formatted(TrafficPattern.EVEN.label(), times(load)));
    markdown.header(List.of("", "worst", "mean worst", "rows written", "rows read", "lag p50, s"));
    for (SharingPolicy policy : SharingPolicy.curves()) {
      TrialResult outcome = figures.get(TrafficPattern.EVEN, load, policy);
      List<String> telling = telling(outcome);
      markdown.row(
          policy.label(),
          List.of(
              Words.roundedUp(outcome.admission().worst()),
              Words.roundedUp(outcome.admission().mean()),
              Words.figure(outcome.rowsWritten()),
              telling.get(0),
              telling.get(1)));
    }
  }

  private List<Approach> approaches() {
    return Stream.concat(Stream.of(SingleCounter.values()), settings.policies().stream())
        .toList();
  }

  /** A load, as it is written: 2x, 1.2x. */
  static String times(double load) {
    return (load == Math.rint(load) ? String.valueOf((long) load) : String.valueOf(load)) + "x";
  }
}
