package io.tidegate.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Places labels beside points where they cover nothing else. */
final class PlotLabels {

  /** A rectangle of the chart. */
  record Box(double left, double top, double right, double bottom) {

    static Box around(double x, double y, double radius) {
      return new Box(x - radius, y - radius, x + radius, y + radius);
    }

    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }

    boolean isWithin(Box other) {
      return left >= other.left
          && right <= other.right
          && top >= other.top
          && bottom <= other.bottom;
    }
  }

  private static final double STEP = 4;

  private final Box page;
  private final double height;
  private final List<Box> taken = new ArrayList<>();

  /**
   * Creates an empty page.
   *
   * @param page the area for labels
   * @param height height of a label
   */
  PlotLabels(Box page, double height) {
    this.page = page;
    this.height = height;
  }

  /** Keeps an area free of labels. */
  void keepFree(Box box) {
    taken.add(box);
  }

  /** Keeps a line free of labels. */
  void keepFree(double x1, double y1, double x2, double y2) {
    double steps = Math.ceil(StrictMath.hypot(x2 - x1, y2 - y1) / STEP);
    for (int step = 1; step < steps; step++) {
      double part = step / steps;
      taken.add(Box.around(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, 1));
    }
  }

  /** Places a label, preferably to the right of its point. If no place is free, labels overlap. */
  Box place(double width, Box point) {
    List<Box> places = places(width, point);
    Box place = places.stream()
        .filter(each -> each.isWithin(page) && taken.stream().noneMatch(each::meets))
        .findFirst()
        .orElse(places.get(0));
    taken.add(place);
    return place;
  }

  private List<Box> places(double width, Box point) {
    double right = point.right + 3;
    double left = point.left - 3 - width;
    double middle = (point.left + point.right - width) / 2;
    double above = point.top - height;
    double below = point.bottom;
    return Stream.of(
            new double[] {right, above + 3},
            new double[] {right, below - 3},
            new double[] {right + 2, (point.top + point.bottom - height) / 2},
            new double[] {middle, above - 1},
            new double[] {middle, below + 1},
            new double[] {left, above + 3},
            new double[] {left, below - 3},
            new double[] {right, above - 9},
            new double[] {right, below + 9})
        .map(corner -> new Box(corner[0], corner[1], corner[0] + width, corner[1] + height))
        .toList();
  }
}
