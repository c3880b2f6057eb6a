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
    return compare(
        heading, figure, format, theirs.of(figure).median() < ours.of(figure).median());
  }

  /** Adds a loss if the alternative has a higher median of a figure that should be high. */
  public Comparison<R> high(String heading, ToDoubleFunction<R> figure, Format format) {
    return compare(
        heading, figure, format, theirs.of(figure).median() > ours.of(figure).median());
  }

  private Comparison<R> compare(
      String heading, ToDoubleFunction<R> figure, Format format, boolean loses) {
    if (loses) {
      String their = format.of(theirs.of(figure)) + " with " + name;
      losses.add(heading + ": " + their + ", " + format.of(ours.of(figure)) + " with " + ourName);
    }
    return this;
  }
}
