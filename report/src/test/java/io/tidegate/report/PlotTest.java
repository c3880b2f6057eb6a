package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Plot.Axis;
import io.tidegate.report.Plot.Point;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PlotTest {

  private static final Axis ACROSS = new Axis("rows", 1, List.of(0.0, 10.0, 5_000.0));
  private static final Axis UP = new Axis("times the limit", 0, List.of(1.0, 2.0, 100.0));

  private record Line(String name, List<Point> points) {}

  private static String svg(Line... lines) {
    Map<String, List<Point>> byName = new LinkedHashMap<>();
    for (Line line : lines) {
      byName.put(line.name, line.points);
    }
    return new Plot("Accuracy & rows", ACROSS, UP, byName, Map.of("perfect", 1.0)).svg();
  }

  private static Line line(String name, Point... points) {
    return new Line(name, List.of(points));
  }

  /** The vertical place of each point of the first line. */
  private static List<Double> heights(String svg) {
    String points = first("<polyline class=\"line0\"[^>]*points=\"([^\"]*)\"", svg);
    return Pattern.compile(",([0-9.]+)")
        .matcher(points)
        .results()
        .map(height -> Double.valueOf(height.group(1)))
        .toList();
  }

  private static String first(String pattern, String svg) {
    return Pattern.compile(pattern)
        .matcher(svg)
        .results()
        .map((MatchResult found) -> found.group(1))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void greaterValuesAreHigherByTheirRatio() {
    List<Double> heights =
        heights(svg(line("a", new Point(0, 8, ""), new Point(5, 4, ""), new Point(9, 2, ""))));
    assertThat(heights).hasSize(3);
    assertThat(heights.get(1) - heights.get(0)).isPositive();
    assertThat(heights.get(2) - heights.get(1))
        .isBetween(heights.get(1) - heights.get(0) - 0.11, heights.get(1) - heights.get(0) + 0.11);
  }

  @Test
  void marksOutsideAreLeftOut() {
    String svg = svg(line("a", new Point(0, 1, ""), new Point(20, 3, "")));
    assertThat(svg).contains(">0</text>", ">10</text>", ">1</text>", ">2</text>");
    assertThat(svg).doesNotContain(">5,000</text>", ">100</text>");
  }

  @Test
  void linesAndLevelsAreInTheLegend() {
    String svg = svg(line("slow", new Point(1, 1, "")), line("fast", new Point(2, 2, "")));
    assertThat(svg).contains(">slow</text>", ">fast</text>", ">perfect</text>");
  }

  @Test
  void pointsAtOnePlaceShareALabel() {
    String svg =
        svg(line("a", new Point(3, 2, "10 s"), new Point(3, 2, "5 s"), new Point(9, 1, "1 s")));
    assertThat(svg).contains(">10 s, 5 s</text>", ">1 s</text>");
  }

  /** Wherever the first label is, the second is elsewhere. */
  @Test
  void labelsKeepApart() {
    String svg = svg(line("a", new Point(3, 2, "here")), line("b", new Point(3, 2, "too")));
    String where = "class=\"label%d\"[^>]*( x=\"[^\"]*\" y=\"[^\"]*\")";
    assertThat(first(where.formatted(0), svg)).isNotEqualTo(first(where.formatted(1), svg));
  }

  @Test
  void suitsLightAndDarkPagesWithoutScripts() {
    String svg = svg(line("a", new Point(1, 1, "")));
    assertThat(svg)
        .contains("prefers-color-scheme: dark")
        .doesNotContain("<script", "http://www.w3.org/1999");
  }

  @Test
  void textIsEscaped() {
    assertThat(svg(line("a < b", new Point(1, 1, "")))).contains("Accuracy &amp; rows", "a &lt; b");
  }

  @Test
  void onePointAloneIsInTheMiddle() {
    assertThat(svg(line("a", new Point(1, 1, "")))).doesNotContain("NaN", "Infinity");
  }
}
