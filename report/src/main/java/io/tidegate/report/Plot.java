package io.tidegate.report;

import io.tidegate.report.PlotLabels.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A line chart in SVG, without scripts, for light and dark pages.
 *
 * @param levels horizontal reference lines
 */
public record Plot(String title, Axis x, Axis y, List<Line> lines, List<Level> levels) {

  /** Maps values to positions on an axis. */
  public enum Scale {
    LINEAR,
    LOGARITHMIC,
    /** Logarithm of one plus the value, for values from zero on. */
    LOGARITHMIC_FROM_ZERO;

    private double position(double value) {
      return switch (this) {
        case LINEAR -> value;
        case LOGARITHMIC -> StrictMath.log(value);
        case LOGARITHMIC_FROM_ZERO -> StrictMath.log(1 + value);
      };
    }
  }

  /**
   * An axis.
   *
   * @param marks values of grid lines; those outside the range of the points are omitted
   */
  public record Axis(String label, Scale scale, List<Double> marks) {}

  public record Line(String name, List<Point> points) {}

  /** A point with its label, which may be empty. */
  public record Point(double x, double y, String label) {}

  /** A horizontal reference line. */
  public record Level(String name, double y) {}

  private static final int WIDTH = 900;
  private static final int HEIGHT = 460;
  private static final int LEFT = 64;
  private static final int RIGHT = 610;
  private static final int TOP = 48;
  private static final int BOTTOM = 400;
  private static final int FONT = 13;

  /** Free space at each end of an axis, as a share of its length. */
  private static final double MARGIN = 0.06;

  /** Half the size of a mark at a point. */
  private static final double MARK = 4;

  /** Average width of a letter, to keep labels apart. */
  private static final double LETTER = 0.55 * (FONT - 2);

  private static final int LABEL_HEIGHT = FONT;

  /**
   * The palette of Okabe and Ito, which is safe for colour-blind readers; lighter on dark pages.
   */
  private static final List<String> COLOURS =
      List.of("#d55e00", "#a0528a", "#b07d00", "#007d5c", "#0072b2", "#555555");

  private static final List<String> COLOURS_ON_DARK =
      List.of("#ff8f4d", "#e19bc9", "#f0c040", "#3fd6a6", "#6cc0f5", "#bbbbbb");

  public Plot {
    if (lines.isEmpty() || lines.size() > COLOURS.size()) {
      throw new IllegalArgumentException(
          "lines must be 1 to %d: %d".formatted(COLOURS.size(), lines.size()));
    }
  }

  /** The visible values of an axis and their coordinates. */
  private record Range(Scale scale, double least, double most, double from, double to) {

    static Range of(Scale scale, DoubleStream values, double from, double to) {
      double[] positions = values.map(scale::position).sorted().toArray();
      double least = positions[0];
      double most = positions[positions.length - 1];
      double margin = most > least ? (most - least) * MARGIN : 1;
      return new Range(scale, least - margin, most + margin, from, to);
    }

    double at(double value) {
      return from + (to - from) * (scale.position(value) - least) / (most - least);
    }

    boolean holds(double value) {
      double position = scale.position(value);
      return position >= least && position <= most;
    }
  }

  /** The chart as SVG. */
  public String svg() {
    Range across = Range.of(x.scale, values(Point::x), LEFT, RIGHT);
    Range up = Range.of(
        y.scale,
        DoubleStream.concat(values(Point::y), levels.stream().mapToDouble(Level::y)),
        BOTTOM,
        TOP);
    List<String> svg = new ArrayList<>();
    svg.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"%d\">"
            .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT, FONT));
    svg.add("<title>" + escaped(title) + "</title>");
    svg.add(style());
    svg.add("<rect class=\"page\" width=\"%d\" height=\"%d\"/>".formatted(WIDTH, HEIGHT));
    svg.add(text("strong", LEFT, 26, "start", title));
    axes(across, up, svg);
    for (int i = 0; i < levels.size(); i++) {
      svg.add(level(i, LEFT, RIGHT, up.at(levels.get(i).y)));
    }
    PlotLabels placement = new PlotLabels(new Box(LEFT, 0, RIGHT + 30, HEIGHT), LABEL_HEIGHT);
    for (int i = 0; i < lines.size(); i++) {
      line(i, across, up, svg);
      keepFree(lines.get(i), across, up, placement);
    }
    for (int i = 0; i < lines.size(); i++) {
      labels(i, across, up, placement, svg);
    }
    legend(svg);
    svg.add("</svg>");
    return String.join("\n", svg) + "\n";
  }

  private DoubleStream values(ToDoubleFunction<Point> value) {
    return lines.stream().flatMap(line -> line.points.stream()).mapToDouble(value);
  }

  private String style() {
    return "<style>\n"
        + ".page { fill: #ffffff } text { fill: #24292f } .strong { font-weight: 600 }\n"
        + ".grid { stroke: #d8dee4 } .level { stroke: #6e7781 }\n"
        + colours(COLOURS)
        + "@media (prefers-color-scheme: dark) {\n"
        + ".page { fill: #0d1117 } text { fill: #e6edf3 }\n"
        + ".grid { stroke: #30363d } .level { stroke: #8b949e }\n"
        + colours(COLOURS_ON_DARK)
        + "}\n</style>";
  }

  private String colours(List<String> colours) {
    StringBuilder rules = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String colour = colours.get(i);
      rules.append(".line%d { stroke: %s; fill: none } .mark%d, text.label%d { fill: %s }\n"
          .formatted(i, colour, i, i, colour));
    }
    return rules.toString();
  }

  private void axes(Range across, Range up, List<String> svg) {
    for (double mark : x.marks) {
      if (across.holds(mark)) {
        double at = across.at(mark);
        svg.add(stroke("grid", at, TOP, at, BOTTOM));
        svg.add(text("", at, BOTTOM + 18, "middle", number(mark)));
      }
    }
    for (double mark : y.marks) {
      if (up.holds(mark)) {
        double at = up.at(mark);
        svg.add(stroke("grid", LEFT, at, RIGHT, at));
        svg.add(text("", LEFT - 8, at + 4, "end", number(mark)));
      }
    }
    svg.add(text("", (LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", x.label));
    svg.add("<text transform=\"translate(18 %s) rotate(-90)\" text-anchor=\"middle\">%s</text>"
        .formatted(coordinate((TOP + BOTTOM) / 2.0), escaped(y.label)));
  }

  /** A dashed line, with longer dashes for each further level. */
  private static String level(int number, double from, double to, double y) {
    return "<path class=\"level\" stroke-dasharray=\"%d 4\" d=\"M%s %sH%s\"/>"
        .formatted(3 + 5 * number, coordinate(from), coordinate(y), coordinate(to));
  }

  private void line(int number, Range across, Range up, List<String> svg) {
    List<Point> points = lines.get(number).points;
    svg.add("<polyline class=\"line%d\" stroke-width=\"2\" points=\"%s\"/>"
        .formatted(
            number,
            points.stream()
                .map(point -> coordinate(across.at(point.x)) + "," + coordinate(up.at(point.y)))
                .collect(Collectors.joining(" "))));
    for (Point point : points) {
      svg.add(mark(number, across.at(point.x), up.at(point.y)));
    }
  }

  /** A marker, of a different shape for each line, for prints without colours. */
  private static String mark(int line, double x, double y) {
    List<double[]> corners = switch (line) {
      case 0 -> List.of(at(x, y, -1, -1), at(x, y, 1, -1), at(x, y, 1, 1), at(x, y, -1, 1));
      case 1 -> List.of(at(x, y, 0, -1.3), at(x, y, 1.2, 1), at(x, y, -1.2, 1));
      case 2 -> List.of(at(x, y, 0, -1.4), at(x, y, 1.4, 0), at(x, y, 0, 1.4), at(x, y, -1.4, 0));
      case 3 -> List.of(at(x, y, 0, 1.3), at(x, y, 1.2, -1), at(x, y, -1.2, -1));
      default -> List.of();
    };
    if (corners.isEmpty()) {
      double radius = line == COLOURS.size() - 1 ? MARK / 2 : MARK;
      return "<circle class=\"mark%d\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>"
          .formatted(line, coordinate(x), coordinate(y), coordinate(radius));
    }
    return "<polygon class=\"mark%d\" points=\"%s\"/>"
        .formatted(
            line,
            corners.stream()
                .map(corner -> coordinate(corner[0]) + "," + coordinate(corner[1]))
                .collect(Collectors.joining(" ")));
  }

  private static double[] at(double x, double y, double right, double down) {
    return new double[] {x + MARK * right, y + MARK * down};
  }

  private static Box around(Point point, Range across, Range up) {
    return Box.around(across.at(point.x), up.at(point.y), MARK);
  }

  private void keepFree(Line line, Range across, Range up, PlotLabels placement) {
    Point before = null;
    for (Point point : line.points) {
      placement.keepFree(around(point, across, up));
      if (before != null) {
        placement.keepFree(
            across.at(before.x), up.at(before.y), across.at(point.x), up.at(point.y));
      }
      before = point;
    }
  }

  /** Places labels where they cover nothing. Points that coincide share a label. */
  private void labels(int number, Range across, Range up, PlotLabels placement, List<String> svg) {
    List<Point> points = lines.get(number).points;
    for (int i = 0; i < points.size(); ) {
      Box here = around(points.get(i), across, up);
      List<String> labels = new ArrayList<>();
      do {
        labels.add(points.get(i++).label);
      } while (i < points.size() && here.meets(around(points.get(i), across, up)));
      String label =
          labels.stream().filter(each -> !each.isEmpty()).collect(Collectors.joining(", "));
      if (!label.isEmpty()) {
        Box place = placement.place(label.length() * LETTER, here);
        svg.add("<text class=\"label%d\" font-size=\"%d\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(
                number,
                FONT - 2,
                coordinate(place.left()),
                coordinate(place.bottom() - 3),
                escaped(label)));
      }
    }
  }

  private void legend(List<String> svg) {
    double left = RIGHT + 30;
    double top = TOP + 14;
    for (int i = 0; i < lines.size(); i++) {
      svg.add("<path class=\"line%d\" stroke-width=\"2\" d=\"M%s %sh24\"/>"
          .formatted(i, coordinate(left), coordinate(top)));
      svg.add(mark(i, left + 12, top));
      svg.add(text("", left + 32, top + 4, "start", lines.get(i).name));
      top += 24;
    }
    for (int i = 0; i < levels.size(); i++) {
      svg.add(level(i, left, left + 24, top));
      svg.add(text("", left + 32, top + 4, "start", levels.get(i).name));
      top += 24;
    }
  }

  private static String stroke(String kind, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
        .formatted(kind, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
  }

  private static String text(String kind, double x, double y, String anchor, String text) {
    return "<text%s x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>"
        .formatted(
            kind.isEmpty() ? "" : " class=\"" + kind + "\"",
            coordinate(x),
            coordinate(y),
            anchor,
            escaped(text));
  }

  private static String coordinate(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Format.COUNT.of(value) : String.valueOf(value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
