package io.tidegate.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A line chart in SVG, without scripts, for light and dark pages.
 *
 * @param lines points by the name of their line
 * @param levels values of horizontal reference lines by name
 */
public record Plot(
    String title, Axis x, Axis y, Map<String, List<Point>> lines, Map<String, Double> levels) {

  /**
   * A logarithmic axis.
   *
   * @param offset added to values before their logarithm is taken: 1 where values can be zero
   * @param marks values of grid lines; those outside the range of the points are omitted
   */
  public record Axis(String label, double offset, List<Double> marks) {

    private double position(double value) {
      return StrictMath.log(offset + value);
    }
  }

  /** A point with its label, which may be empty. */
  public record Point(double x, double y, String label) {}

  /**
   * The palette of Okabe and Ito, which is safe for colour-blind readers; lighter on dark pages.
   */
  private static final List<String> COLOURS =
      List.of("#d55e00", "#a0528a", "#b07d00", "#007d5c", "#0072b2", "#555555");

  private static final List<String> COLOURS_ON_DARK =
      List.of("#ff8f4d", "#e19bc9", "#f0c040", "#3fd6a6", "#6cc0f5", "#bbbbbb");

  /** The chart as SVG. */
  public String svg() {
    return new Drawing().draw();
  }

  private DoubleStream values(ToDoubleFunction<Point> value) {
    return lines.values().stream().flatMap(List::stream).mapToDouble(value);
  }

  /** The visible positions of an axis and their coordinates. */
  private record Range(Axis axis, double least, double most, double from, double to) {

    /** Free space at each end of an axis, as a share of its length. */
    private static final double MARGIN = 0.06;

    static Range of(Axis axis, DoubleStream values, double from, double to) {
      DoubleSummaryStatistics positions = values.map(axis::position).summaryStatistics();
      double length = positions.getMax() - positions.getMin();
      double margin = length > 0 ? length * MARGIN : 1;
      return new Range(axis, positions.getMin() - margin, positions.getMax() + margin, from, to);
    }

    double at(double value) {
      return from + (to - from) * (axis.position(value) - least) / (most - least);
    }

    List<Double> visibleMarks() {
      return axis.marks.stream()
          .filter(mark -> axis.position(mark) >= least && axis.position(mark) <= most)
          .toList();
    }
  }

  /** A rectangle of the chart. */
  private record Box(double left, double top, double right, double bottom) {

    static Box around(Point point, double radius) {
      return new Box(point.x - radius, point.y - radius, point.x + radius, point.y + radius);
    }

    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  /** Draws one chart. */
  private final class Drawing {

    private static final int LEFT = 64;
    private static final int RIGHT = 610;
    private static final int TOP = 48;
    private static final int BOTTOM = 400;
    private static final int FONT = 13;

    /** Half the size of a mark at a point. */
    private static final double MARK = 4;

    /** Corners of the marks of the first lines; a shape per line, for prints without colours. */
    private static final double[][] SHAPES = {
      {-1, -1, 1, -1, 1, 1, -1, 1},
      {0, -1.3, 1.2, 1, -1.2, 1},
      {0, -1.4, 1.4, 0, 0, 1.4, -1.4, 0},
      {0, 1.3, 1.2, -1, -1.2, -1}
    };

    private final Range across = Range.of(x, values(Point::x), LEFT, RIGHT);
    private final Range up = Range.of(
        y,
        DoubleStream.concat(values(Point::y), levels.values().stream().mapToDouble(y -> y)),
        BOTTOM,
        TOP);

    /** The points of each line in coordinates of the chart. */
    private final List<List<Point>> places = lines.values().stream()
        .map(line -> line.stream()
            .map(point -> new Point(across.at(point.x), up.at(point.y), point.label))
            .toList())
        .toList();

    private final StringBuilder svg = new StringBuilder();

    /** Areas that labels must not cover. */
    private final List<Box> taken = new ArrayList<>();

    String draw() {
      add(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 460\" width=\"900\" height=\"460\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"%d\">",
          FONT);
      add("<title>%s</title>", escaped(title));
      addStyle();
      add("<rect class=\"page\" width=\"900\" height=\"460\"/>");
      add("<text class=\"strong\" x=\"%d\" y=\"26\">%s</text>", LEFT, escaped(title));
      addAxes();
      int number = 0;
      for (double y : levels.values()) {
        addLevel(number++, LEFT, RIGHT, up.at(y));
      }
      IntStream.range(0, lines.size()).forEach(this::addLine);
      IntStream.range(0, lines.size()).forEach(this::addLabels);
      addLegend();
      add("</svg>");
      return svg.toString();
    }

    private void add(String format, Object... arguments) {
      svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void addText(double x, double y, String anchor, String text) {
      add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
    }

    private void addStyle() {
      add("<style>");
      add(".page { fill: #ffffff } text { fill: #24292f } .strong { font-weight: 600 }");
      add(".grid { stroke: #d8dee4 } .level { stroke: #6e7781 }");
      addColours(COLOURS);
      add("@media (prefers-color-scheme: dark) {");
      add(".page { fill: #0d1117 } text { fill: #e6edf3 }");
      add(".grid { stroke: #30363d } .level { stroke: #8b949e }");
      addColours(COLOURS_ON_DARK);
      add("}\n</style>");
    }

    private void addColours(List<String> colours) {
      for (int i = 0; i < lines.size(); i++) {
        add(".line%1$d { stroke: %2$s; fill: none }", i, colours.get(i));
        add(".mark%1$d, text.label%1$d { fill: %2$s }", i, colours.get(i));
      }
    }

    private void addAxes() {
      for (double mark : across.visibleMarks()) {
        add("<path class=\"grid\" d=\"M%.1f %dV%d\"/>", across.at(mark), TOP, BOTTOM);
        addText(across.at(mark), BOTTOM + 18, "middle", number(mark));
      }
      for (double mark : up.visibleMarks()) {
        add("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, up.at(mark), RIGHT);
        addText(LEFT - 8, up.at(mark) + 4, "end", number(mark));
      }
      addText((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", x.label);
      add(
          "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
          (TOP + BOTTOM) / 2, escaped(y.label));
    }

    /** Adds a dashed line, with longer dashes for each further level. */
    private void addLevel(int number, double from, double to, double y) {
      String path = "<path class=\"level\" stroke-dasharray=\"%d 4\" d=\"M%.1f %.1fH%.1f\"/>";
      add(path, 3 + 5 * number, from, y, to);
    }

    private void addLine(int number) {
      List<Point> line = places.get(number);
      String points =
          line.stream().map(place -> pair(place.x, place.y)).collect(Collectors.joining(" "));
      add("<polyline class=\"line%d\" stroke-width=\"2\" points=\"%s\"/>", number, points);
      for (int i = 0; i < line.size(); i++) {
        addMark(number, line.get(i).x, line.get(i).y);
        taken.add(Box.around(line.get(i), MARK));
        keepFree(line.get(Math.max(0, i - 1)), line.get(i));
      }
    }

    private static String pair(double x, double y) {
      return String.format(Locale.ROOT, "%.1f,%.1f", x, y);
    }

    private void addMark(int line, double x, double y) {
      if (line < SHAPES.length) {
        double[] shape = SHAPES[line];
        String corners = IntStream.range(0, shape.length / 2)
            .mapToObj(i -> pair(x + MARK * shape[2 * i], y + MARK * shape[2 * i + 1]))
            .collect(Collectors.joining(" "));
        add("<polygon class=\"mark%d\" points=\"%s\"/>", line, corners);
      } else {
        double radius = line == COLOURS.size() - 1 ? MARK / 2 : MARK;
        add("<circle class=\"mark%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", line, x, y, radius);
      }
    }

    /** Keeps a line free of labels, by small boxes along it. */
    private void keepFree(Point from, Point to) {
      double width = to.x - from.x;
      double height = to.y - from.y;
      double steps = Math.ceil(StrictMath.hypot(width, height) / MARK);
      for (int step = 1; step < steps; step++) {
        double part = step / steps;
        taken.add(Box.around(new Point(from.x + width * part, from.y + height * part, ""), 1));
      }
    }

    /** Adds labels where they cover nothing. Points that coincide share a label. */
    private void addLabels(int number) {
      List<Point> line = places.get(number);
      for (int i = 0, next; i < line.size(); i = next) {
        Box mark = Box.around(line.get(i), MARK);
        next = i + 1;
        while (next < line.size() && mark.meets(Box.around(line.get(next), MARK))) {
          next++;
        }
        String label = line.subList(i, next).stream()
            .map(Point::label)
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(", "));
        if (!label.isEmpty()) {
          addLabel(number, label, mark);
        }
      }
    }

    /** Adds a label, preferably to the right of its point. If no place is free, labels overlap. */
    private void addLabel(int line, String label, Box point) {
      double width = label.length() * 0.55 * (FONT - 2); // average width of a letter
      double right = point.right + 3;
      double left = point.left - 3 - width;
      double middle = (point.left + point.right - width) / 2;
      double above = point.top - FONT;
      double below = point.bottom;
      double[][] corners = {
        {right, above + 3},
        {right, below - 3},
        {right + 2, (point.top + point.bottom - FONT) / 2},
        {middle, above - 1},
        {middle, below + 1},
        {left, above + 3},
        {left, below - 3},
        {right, above - 9},
        {right, below + 9}
      };
      List<Box> boxes = Arrays.stream(corners)
          .map(corner -> new Box(corner[0], corner[1], corner[0] + width, corner[1] + FONT))
          .toList();
      Box place = boxes.stream()
          .filter(each -> each.left >= LEFT && each.right <= RIGHT + 30)
          .filter(each -> each.top >= 0 && taken.stream().noneMatch(each::meets))
          .findFirst()
          .orElse(boxes.get(0));
      taken.add(place);
      String text = "<text class=\"label%d\" font-size=\"%d\" x=\"%.1f\" y=\"%.1f\">%s</text>";
      add(text, line, FONT - 2, place.left, place.bottom - 3, escaped(label));
    }

    private void addLegend() {
      double left = RIGHT + 30;
      double top = TOP + 14;
      int number = 0;
      for (String name : lines.keySet()) {
        add("<path class=\"line%d\" stroke-width=\"2\" d=\"M%.1f %.1fh24\"/>", number, left, top);
        addMark(number++, left + 12, top);
        addText(left + 32, top + 4, "start", name);
        top += 24;
      }
      number = 0;
      for (String name : levels.keySet()) {
        addLevel(number++, left, left + 24, top);
        addText(left + 32, top + 4, "start", name);
        top += 24;
      }
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Format.COUNT.of(value) : String.valueOf(value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
