package io.tidegate.simulator.overshoot;

import static io.tidegate.simulator.overshoot.OvershootReport.times;

import io.tidegate.report.Format;
import io.tidegate.report.Plot;
import io.tidegate.report.Plot.Axis;
import io.tidegate.report.Plot.Point;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plots of a run. */
record OvershootPlots(OvershootSettings settings, TrialResults results) {

  private static final Axis WORST = new Axis(
      "admitted in the worst window, times the limit",
      0,
      List.of(0.3, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0));

  private static final Axis ROWS = new Axis(
      "rows written per window",
      1,
      List.of(0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0));

  void write(Path folder) throws IOException {
    for (Map.Entry<String, Plot> plot : plots().entrySet()) {
      Files.writeString(folder.resolve(plot.getKey()), plot.getValue().svg());
    }
  }

  /** All plots by file name. */
  Map<String, Plot> plots() {
    Map<String, Plot> plots = new LinkedHashMap<>();
    for (double load : OvershootSettings.CURVE_LOADS) {
      plots.put("rows-%s.svg".formatted(times(load)), byRows(load));
    }
    List<Approach> approaches = new ArrayList<>(settings.policies());
    approaches.add(SingleCounter.SLIDING_WINDOW);
    for (TrafficPattern pattern : settings.patterns()) {
      // With requests in one region only, all approaches give the same line.
      if (pattern.loads(settings).size() > 1 && pattern != TrafficPattern.ONE_REGION) {
        String title = capitalized(pattern.label) + ": overshoot";
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        approaches.forEach(each -> lines.put(each.label(), line(pattern, each)));
        plots.put("load-%s.svg".formatted(pattern), byLoad(title, lines));
      }
    }
    plots.put("overshoot.svg", summary());
    return plots;
  }

  /** Overshoot against rows: a curve for each family, with a point for each interval. */
  private Plot byRows(double load) {
    Map<String, List<Point>> families = new LinkedHashMap<>();
    for (SharingPolicy policy : SharingPolicy.curves()) {
      TrialResult result = even(load, policy);
      families
          .computeIfAbsent(policy.family(), family -> new ArrayList<>())
          .add(new Point(result.rowsWritten(), result.worst(), policy.pace()));
    }
    Map<String, Double> levels = new LinkedHashMap<>();
    for (SingleCounter counter : SingleCounter.values()) {
      levels.put(counter.label(), even(load, counter).worst());
    }
    String title = "%s the limit, %s: overshoot against rows"
        .formatted(times(load), TrafficPattern.EVEN.label);
    return new Plot(title, ROWS, WORST, families, levels);
  }

  private TrialResult even(double load, Approach approach) {
    return results.find(TrafficPattern.EVEN, load, approach).orElseThrow();
  }

  /** Tidegate next to the reference design and to regions that share nothing, for even traffic. */
  private Plot summary() {
    Map<String, Approach> approaches = new LinkedHashMap<>();
    approaches.put("regions that share nothing", SharingPolicy.ISOLATED);
    approaches.put("reference design", SharingPolicy.FLOOR);
    approaches.put("Tidegate, every 5 s", SharingPolicy.ADAPTIVE_SLOW);
    approaches.put("Tidegate, every 0.25 s", SharingPolicy.ADAPTIVE);
    approaches.put("one counter for all", SingleCounter.SLIDING_WINDOW);
    double highest = Collections.max(settings.loads());
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    approaches.forEach((name, approach) -> results
        .find(TrafficPattern.EVEN, highest, approach)
        .map(result -> name + ": " + Format.ROUNDED_UP.of(result.worst()))
        .ifPresent(label -> lines.put(label, line(TrafficPattern.EVEN, approach))));
    return byLoad(
        "%d regions share one limit: overshoot by offered load".formatted(settings.regions()),
        lines);
  }

  /** A line of the loads that were simulated. */
  private List<Point> line(TrafficPattern pattern, Approach approach) {
    List<Point> points = new ArrayList<>();
    for (double load : settings.loads()) {
      results
          .find(pattern, load, approach)
          .ifPresent(result -> points.add(new Point(load, result.worst(), "")));
    }
    return points;
  }

  private Plot byLoad(String title, Map<String, List<Point>> lines) {
    Axis loads = new Axis("offered load, times the limit", 0, settings.loads());
    return new Plot(title, loads, WORST, lines, Map.of());
  }

  private static String capitalized(String label) {
    return Character.toUpperCase(label.charAt(0)) + label.substring(1);
  }
}
