package io.tidegate.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares figures with those of alternatives, and collects those in which an alternative is
 * better.
 */
public final class Losses {

  private final String ours;
  private final List<String> lines = new ArrayList<>();

  /** Collects losses of a contender with this name. */
  public Losses(String ours) {
    this.ours = ours;
  }

  /** Adds a loss if the alternative has a lower median of a figure that should be low. */
  public void addIfLower(
      String figure, Spread ourSpread, String alternative, Spread theirSpread, Format format) {
    if (theirSpread.median() < ourSpread.median()) {
      add(figure, ourSpread, alternative, theirSpread, format);
    }
  }

  /** Adds a loss if the alternative has a higher median of a figure that should be high. */
  public void addIfHigher(
      String figure, Spread ourSpread, String alternative, Spread theirSpread, Format format) {
    if (theirSpread.median() > ourSpread.median()) {
      add(figure, ourSpread, alternative, theirSpread, format);
    }
  }

  /** Compares the spread of a figure over rows, as {@link #addIfLower} does for two spreads. */
  public <R> void addIfLower(
      String name,
      ToDoubleFunction<R> figure,
      Rounds<R> ours,
      String alternative,
      Rounds<R> theirs,
      Format format) {
    addIfLower(name, ours.of(figure), alternative, theirs.of(figure), format);
  }

  /** Compares the spread of a figure over rows, as {@link #addIfHigher} does for two spreads. */
  public <R> void addIfHigher(
      String name,
      ToDoubleFunction<R> figure,
      Rounds<R> ours,
      String alternative,
      Rounds<R> theirs,
      Format format) {
    addIfHigher(name, ours.of(figure), alternative, theirs.of(figure), format);
  }

  private void add(
      String figure, Spread ourSpread, String alternative, Spread theirSpread, Format format) {
    add("%s: %s with %s, %s with %s"
        .formatted(figure, format.of(theirSpread), alternative, format.of(ourSpread), ours));
  }

  public void add(String line) {
    lines.add(line);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }
}
