package io.tidegate.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares figures with those of an alternative.
 *
 * @param losses collects a line for each figure in which the alternative is better
 */
public record Comparison<R>(
    String ourName, Rounds<R> ours, String name, Rounds<R> theirs, List<String> losses) {

  /** Adds a loss if the alternative has a lower median of a figure that should be low. */
  public Comparison<R> low(String heading, ToDoubleFunction<R> figure, Format format) {
    return compare(heading, ours.of(figure), theirs.of(figure), format, -1);
  }

  /** Adds a loss if the alternative has a higher median of a figure that should be high. */
  public Comparison<R> high(String heading, ToDoubleFunction<R> figure, Format format) {
    return compare(heading, ours.of(figure), theirs.of(figure), format, 1);
  }

  private Comparison<R> compare(
      String heading, Spread our, Spread their, Format format, double better) {
    if (Math.signum(their.median() - our.median()) == better) {
      losses.add("%s: %s with %s, %s with %s"
          .formatted(heading, format.of(their), name, format.of(our), ourName));
    }
    return this;
  }
}
