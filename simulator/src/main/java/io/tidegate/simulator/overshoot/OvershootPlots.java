package io.tidegate.simulator.overshoot;

import io.tidegate.report.Plot;
import io.tidegate.report.Plot.Axis;
import io.tidegate.report.Plot.Level;
import io.tidegate.report.Plot.Line;
import io.tidegate.report.Plot.Point;
import io.tidegate.report.Plot.Scale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run has found, as pictures. */
record OvershootPlots(OvershootSettings settings, TrialResults figures) {

  private static final Axis WORST = new Axis(
      "worst window, times the limit",
      Scale.LOGARITHMIC,
      List.of(0.3, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0));

  private static final Axis ROWS = new Axis(
      "rows written per window",
      Scale.LOGARITHMIC_FROM_ZERO,
      List.of(0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0));

  /** All plots by the names of their files. */
  Map<String, Plot> plots() {
    Map<String, Plot> plots = new LinkedHashMap<>();
    for (double load : OvershootRun.CURVE_LOADS) {
      plots.put("rows-%s.svg".formatted(OvershootReport.times(load)), byRows(load));
    }
    for (TrafficPattern traffic : settings.traffics()) {
      // where there is one region, there is nobody to tell, and all are the same
      if (settings.loads(traffic).size() > 1 && traffic != TrafficPattern.ONE_REGION) {
        plots.put("load-%s.svg".formatted(traffic.option()), byLoad(traffic));
      }
    }
    return plots;
  }

  /** Accuracy against rows: a curve for each family, along which its pace differs. */
  private Plot byRows(double load) {
    Map<String, List<Point>> families = SharingPolicy.curves().stream()
        .collect(Collectors.groupingBy(
            SharingPolicy::family,
            LinkedHashMap::new,
            Collectors.mapping(policy -> point(load, policy), Collectors.toList())));
    return new Plot(
        "%s the limit, %s: accuracy against rows"
            .formatted(OvershootReport.times(load), TrafficPattern.EVEN.label()),
        ROWS,
        WORST,
        families.entrySet().stream()
            .map(family -> new Line(family.getKey(), family.getValue()))
            .toList(),
        levels(load));
  }

  private Point point(double load, SharingPolicy policy) {
    TrialResult outcome = figures.get(TrafficPattern.EVEN, load, policy);
    return new Point(outcome.rowsWritten(), outcome.admission().worst(), policy.pace());
  }

  private List<Level> levels(double load) {
    return Stream.of(SingleCounter.values())
        .map(reference -> new Level(
            reference.label(),
            figures.get(TrafficPattern.EVEN, load, reference).admission().worst()))
        .toList();
  }

  private Plot byLoad(TrafficPattern traffic) {
    List<Double> loads = settings.loads(traffic);
    List<Line> lines = Stream.concat(settings.policies().stream(), Stream.of(SingleCounter.PERFECT))
        .map(approach -> new Line(
            approach.label(),
            loads.stream()
                .map(load -> new Point(
                    load, figures.get(traffic, load, approach).admission().worst(), ""))
                .toList()))
        .toList();
    return new Plot(
        "%s: how far the limit is exceeded".formatted(capitalized(traffic.label())),
        new Axis("asked for, times the limit", Scale.LOGARITHMIC, loads),
        WORST,
        lines,
        List.of());
  }

  private static String capitalized(String label) {
    return Character.toUpperCase(label.charAt(0)) + label.substring(1);
  }
}
