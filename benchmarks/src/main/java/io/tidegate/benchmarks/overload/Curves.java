package io.tidegate.benchmarks.overload;

import io.tidegate.benchmarks.overload.Results.Step;
import io.tidegate.report.Plot;
import io.tidegate.report.Plot.Axis;
import io.tidegate.report.Plot.Point;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The curves of a run: medians of the rounds over the offered load. */
record Curves(Results results) {

  /** Far above all values, where the logarithm of the axes is as good as straight. */
  private static final double LINEAR = 1e6;

  private static final List<Double> PERCENTS = List.of(0., 25., 50., 75., 100., 125., 150., 200.);
  private static final List<Double> MILLIS = List.of(0.01, 0.1, 1., 10., 100., 1_000.);

  private static final Axis OFFERED = new Axis("offered, % of the maximum", LINEAR, PERCENTS);

  Plot rates() {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    lines.put("answered", line(step -> 100 * step.timesMaximum()));
    lines.put("refused", line(step -> 100 * step.refused() / step.maximum()));
    lines.put("timed out", line(step -> 100 * step.timedOut() / step.maximum()));
    lines.put("not sent", line(step -> 100 * step.unsent() / step.maximum()));
    Axis share = new Axis("% of the maximum", LINEAR, PERCENTS);
    return new Plot("Requests under overload", OFFERED, share, lines, Map.of("maximum", 100.));
  }

  Plot latencies() {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    lines.put("p50", line(step -> step.interval().micros().p50() / 1e3));
    lines.put("p99", line(Step::p99Millis));
    lines.put("p99.9", line(step -> step.interval().micros().p999() / 1e3));
    Axis millis = new Axis("latency of answers, ms", 0, MILLIS);
    return new Plot("Latency under overload", OFFERED, millis, lines, Map.of());
  }

  private List<Point> line(ToDoubleFunction<Step> figure) {
    return results.settings().percents().stream()
        .map(percent -> new Point(percent, results.at(percent).of(figure).median(), ""))
        .toList();
  }
}
