package io.tidegate.report;

/**
 * One target of a benchmark or simulation.
 *
 * @param text the target in words
 * @param met whether the run met it
 * @param figure the measured figure that decides
 */
public record Target(String text, boolean met, String figure) {

  public static Target atMost(double max, String text, double figure, Format format) {
    return new Target(text, figure <= max, format.of(figure));
  }
}
