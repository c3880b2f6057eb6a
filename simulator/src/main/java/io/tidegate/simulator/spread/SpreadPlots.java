package io.tidegate.simulator.spread;

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
record SpreadPlots(Settings settings, SpreadFigures figures) {

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
    for (double load : SpreadRun.CURVE_LOADS) {
      plots.put("rows-%s.svg".formatted(SpreadReport.times(load)), byRows(load));
    }
    for (Traffic traffic : settings.traffics()) {
      // where there is one region, there is nobody to tell, and all are the same
      if (settings.loads(traffic).size() > 1 && traffic != Traffic.ONE_REGION) {
        plots.put("load-%s.svg".formatted(traffic.option()), byLoad(traffic));
      }
    }
    return plots;
  }

  /** Accuracy against rows: a curve for each family, along which its pace differs. */
  private Plot byRows(double load) {
    Map<String, List<Point>> families = Policy.curves().stream()
        .collect(Collectors.groupingBy(
            Policy::family,
            LinkedHashMap::new,
            Collectors.mapping(policy -> point(load, policy), Collectors.toList())));
    return new Plot(
        "%s the limit, %s: accuracy against rows"
            .formatted(SpreadReport.times(load), Traffic.EVEN.label()),
        ROWS,
        WORST,
        families.entrySet().stream()
            .map(family -> new Line(family.getKey(), family.getValue()))
            .toList(),
        levels(load));
  }

  private Point point(double load, Policy policy) {
    Outcome outcome = figures.get(Traffic.EVEN, load, policy);
    return new Point(outcome.rowsWritten(), outcome.admission().worst(), policy.pace());
  }

  private List<Level> levels(double load) {
    return Stream.of(Reference.values())
        .map(reference -> new Level(
            reference.label(),
            figures.get(Traffic.EVEN, load, reference).admission().worst()))
        .toList();
  }

  private Plot byLoad(Traffic traffic) {
    List<Double> loads = settings.loads(traffic);
    List<Line> lines = Stream.concat(settings.policies().stream(), Stream.of(Reference.PERFECT))
        .map(contender -> new Line(
            contender.label(),
            loads.stream()
                .map(load -> new Point(
                    load, figures.get(traffic, load, contender).admission().worst(), ""))
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
