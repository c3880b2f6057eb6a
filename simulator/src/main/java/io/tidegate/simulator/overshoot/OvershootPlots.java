package io.tidegate.simulator.overshoot;

import io.tidegate.report.Plot;
import io.tidegate.report.Plot.Axis;
import io.tidegate.report.Plot.Level;
import io.tidegate.report.Plot.Line;
import io.tidegate.report.Plot.Point;
import io.tidegate.report.Plot.Scale;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The plots of a run. */
record OvershootPlots(OvershootSettings settings, TrialResults results) {

  private static final Axis WORST = new Axis(
      "worst window, times the limit",
      Scale.LOGARITHMIC,
      List.of(0.3, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0));

  private static final Axis ROWS = new Axis(
      "rows written per window",
      Scale.LOGARITHMIC_FROM_ZERO,
      List.of(0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0));

  /** All plots by file name. */
  Map<String, Plot> plots() {
    Map<String, Plot> plots = new LinkedHashMap<>();
    for (double load : OvershootSettings.CURVE_LOADS) {
      plots.put("rows-%s.svg".formatted(OvershootReport.times(load)), byRows(load));
    }
    for (TrafficPattern pattern : settings.patterns()) {
      // With requests in one region only, all approaches give the same line.
      if (settings.loads(pattern).size() > 1 && pattern != TrafficPattern.ONE_REGION) {
        plots.put("load-%s.svg".formatted(pattern.option()), byLoad(pattern));
      }
    }
    return plots;
  }

  /** Overshoot against rows: a curve for each family, with a point for each interval. */
  private Plot byRows(double load) {
    Map<String, List<Point>> families = SharingPolicy.curves().stream()
        .collect(Collectors.groupingBy(
            SharingPolicy::family,
            LinkedHashMap::new,
            Collectors.mapping(policy -> point(load, policy), Collectors.toList())));
    return new Plot(
        "%s the limit, %s: overshoot against rows"
            .formatted(OvershootReport.times(load), TrafficPattern.EVEN.label()),
        ROWS,
        WORST,
        families.entrySet().stream()
            .map(family -> new Line(family.getKey(), family.getValue()))
            .toList(),
        levels(load));
  }

  private Point point(double load, SharingPolicy policy) {
    TrialResult result = results.get(TrafficPattern.EVEN, load, policy);
    return new Point(result.rowsWritten(), result.worst(), policy.pace());
  }

  private List<Level> levels(double load) {
    return Stream.of(SingleCounter.values())
        .map(counter -> new Level(
            counter.label(), results.get(TrafficPattern.EVEN, load, counter).worst()))
        .toList();
  }

  private Plot byLoad(TrafficPattern pattern) {
    List<Double> loads = settings.loads(pattern);
    List<Line> lines = Stream.<Approach>concat(
            settings.policies().stream(), Stream.of(SingleCounter.SLIDING_WINDOW))
        .map(approach -> new Line(
            approach.label(),
            loads.stream()
                .map(
                    load -> new Point(load, results.get(pattern, load, approach).worst(), ""))
                .toList()))
        .toList();
    return new Plot(
        "%s: overshoot".formatted(capitalized(pattern.label())),
        new Axis("requested, times the limit", Scale.LOGARITHMIC, loads),
        WORST,
        lines,
        List.of());
  }

  private static String capitalized(String label) {
    return Character.toUpperCase(label.charAt(0)) + label.substring(1);
  }
}
