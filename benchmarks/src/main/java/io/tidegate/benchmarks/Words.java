package io.tidegate.benchmarks;

import java.util.Locale;

/** How figures are written, the same wherever they appear. */
final class Words {

  private Words() {}

  static String threads(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  static String count(int count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  static String load(double load) {
    return String.format(Locale.ROOT, "%.1f", load);
  }

  static String nanos(Spread nanos) {
    return "%s [%s..%s]"
        .formatted(threeDigits(nanos.median()), threeDigits(nanos.min()), threeDigits(nanos.max()));
  }

  static String ratio(Spread ratio) {
    return "%s [%s..%s]"
        .formatted(hundredths(ratio.median()), hundredths(ratio.min()), hundredths(ratio.max()));
  }

  static String bytes(double bytes) {
    return String.valueOf(Math.round(bytes));
  }

  /** Rounded down: 1.299 is not the 1.3 that was wanted, nor does it look so. */
  private static String hundredths(double ratio) {
    return String.format(Locale.ROOT, "%.2f", Math.floor(ratio * 100) / 100);
  }

  /** The thousandth part of a figure is noise here. */
  private static String threeDigits(double figure) {
    return String.format(Locale.ROOT, figure < 100 ? "%.1f" : "%.0f", figure);
  }
}
