package io.tidegate.report;

import java.util.Locale;
import java.util.function.DoubleFunction;

/** How figures are written, the same wherever they appear. */
public final class Words {

  public static final String UNMEASURED = "–";

  private Words() {}

  public static String threads(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  public static String load(double load) {
    return String.format(Locale.ROOT, "%.1f", load);
  }

  /** For what may be a small part of one. */
  public static String small(Spread figure) {
    return spread(figure, value -> String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.2f", value));
  }

  public static String small(double figure) {
    return String.format(Locale.ROOT, figure < 1 ? "%.3f" : "%.2f", figure);
  }

  public static String figure(double figure) {
    return threeDigits(figure);
  }

  public static String figure(Spread figure) {
    return spread(figure, Words::threeDigits);
  }

  public static String ratio(Spread ratio) {
    return spread(ratio, Words::hundredths);
  }

  /** For what goes into the thousands and millions. */
  public static String many(Spread many) {
    return spread(many, Words::many);
  }

  public static String many(double many) {
    if (many >= 1e6) {
      return threeDigits(many / 1e6) + " M";
    }
    return many >= 1e4 ? threeDigits(many / 1e3) + " k" : String.valueOf(Math.round(many));
  }

  private static String spread(Spread figure, DoubleFunction<String> words) {
    return "%s [%s..%s]"
        .formatted(
            words.apply(figure.median()), words.apply(figure.min()), words.apply(figure.max()));
  }

  /**
   * Of something that should be small: 1.301 is more than the 1.3 that was wanted, and looks so.
   */
  public static String roundedUp(double figure) {
    return String.format(Locale.ROOT, "%.2f", Math.max(0, Math.ceil(figure * 100 - 1e-6)) / 100);
  }

  /** Of a part of one. */
  public static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  public static String bytes(double bytes) {
    return String.valueOf(Math.round(bytes));
  }

  /** Rounded down: 1.299 is not the 1.3 that was wanted, nor does it look so. */
  private static String hundredths(double ratio) {
    return ratio < 100
        ? String.format(Locale.ROOT, "%.2f", Math.floor(ratio * 100) / 100)
        : String.format(Locale.ROOT, "%,.0f", Math.floor(ratio));
  }

  /** The thousandth part of a figure is noise here. */
  private static String threeDigits(double figure) {
    return String.format(Locale.ROOT, figure < 100 ? "%.1f" : "%.0f", figure);
  }
}
