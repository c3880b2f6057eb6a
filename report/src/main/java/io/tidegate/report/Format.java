package io.tidegate.report;

import java.util.Locale;

/** Number formats, so that a figure looks the same in every table, target and sentence. */
public enum Format {
  /** Three significant digits: 14.5, 607. */
  FIGURE,
  /** Three digits after the point below 1, two above it. */
  SMALL,
  /** Thousands and millions with a suffix: 9933, 11.5 k, 8.1 M. */
  MANY,
  /** Two digits, rounded to the nearest. */
  NEAREST,
  /** Two digits, rounded down: 1.299 misses a target of 1.3 and must not look as if it met it. */
  RATIO,
  /** Two digits, rounded up, for figures that should be small. */
  ROUNDED_UP,
  /** A whole number; the median only. */
  COUNT,
  /** A share of one in percent; the median only. */
  PERCENT,
  /** A share of one in percent, with one digit after the point, or two below 1 %. */
  FINE_PERCENT;

  /** Stands for a figure that was not measured. */
  public static final String UNMEASURED = "–";

  public String of(double figure) {
    if (!Double.isFinite(figure)) {
      return UNMEASURED;
    }
    return switch (this) {
      case FIGURE -> threeDigits(figure);
      case SMALL -> formatted(figure < 1 ? "%.3f" : "%.2f", figure);
      case MANY -> many(figure);
      case NEAREST -> formatted("%.2f", figure);
      case RATIO ->
        figure < 100
            ? formatted("%.2f", Math.floor(figure * 100) / 100)
            : formatted("%,.0f", Math.floor(figure));
      // 1.1 * 100 is 110.00000000000001, which is not meant to become 1.11
      case ROUNDED_UP -> formatted("%.2f", Math.max(0, Math.ceil(figure * 100 - 1e-6)) / 100);
      case COUNT -> formatted("%,.0f", figure);
      case PERCENT -> formatted("%.0f %%", 100 * figure);
      case FINE_PERCENT ->
        formatted(figure > 0 && figure < 0.01 ? "%.2f %%" : "%.1f %%", 100 * figure);
    };
  }

  public String of(long figure) {
    return of((double) figure);
  }

  /** Median [min..max]; the median alone for counts and percentages, and of a single figure. */
  public String of(Spread figures) {
    String median = of(figures.median());
    return figures.count() == 1 || this == COUNT || this == PERCENT
        ? median
        : "%s [%s..%s]".formatted(median, of(figures.min()), of(figures.max()));
  }

  private static String many(double figure) {
    if (figure >= 1e6) {
      return threeDigits(figure / 1e6) + " M";
    }
    return figure >= 1e4 ? threeDigits(figure / 1e3) + " k" : formatted("%.0f", figure);
  }

  private static String threeDigits(double figure) {
    return formatted(figure < 100 ? "%.1f" : "%.0f", figure);
  }

  private static String formatted(String pattern, double figure) {
    return String.format(Locale.ROOT, pattern, figure);
  }
}
