package io.tidegate.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Measurements of several contenders, repeated over several rounds.
 *
 * @param rows one for each contender, setting and round
 */
public record Rounds<R>(List<R> rows) {

  public Rounds<R> where(Predicate<R> condition) {
    return new Rounds<>(rows.stream().filter(condition).toList());
  }

  /** The contenders in another order each round, so that none always comes second. */
  public static <C> List<C> inTurn(List<C> contenders, int round) {
    List<C> inTurn = new ArrayList<>(contenders);
    Collections.rotate(inTurn, round);
    return inTurn;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The spread of a figure over all rows; there must be one at least. */
  public Spread of(ToDoubleFunction<R> figure) {
    return Spread.of(rows.stream().mapToDouble(figure).toArray());
  }

  /** The first row that satisfies a condition. */
  public R first(Predicate<R> condition) {
    return rows.stream()
        .filter(condition)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no such row among " + rows));
  }

  /**
   * A figure of a row, divided by the same figure of the base row of the same round and setting.
   * Ratios are taken within a round because the machine may be slower in one round than in another.
   *
   * @param isBase selects the contender that the others are compared with
   * @param setting the round, and everything else that two rows must share to be comparable
   */
  public ToDoubleFunction<R> ratioTo(
      Predicate<R> isBase, Function<R, ?> setting, ToDoubleFunction<R> figure) {
    Rounds<R> bases = where(isBase);
    return row -> figure.applyAsDouble(row)
        / figure.applyAsDouble(
            bases.first(base -> Objects.equals(setting.apply(base), setting.apply(row))));
  }
}
