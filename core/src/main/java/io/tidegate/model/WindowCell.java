package io.tidegate.model;

import java.util.Objects;

/**
 * One fixed window of one series: the identity under which counts are kept, shared and merged.
 *
 * <pre>{@code
 * WindowCell cell = WindowCell.at(series, clock.millis());
 * }</pre>
 *
 * @param series the series
 * @param sequence index of the window, counted from 1970
 */
public record WindowCell(Series series, long sequence) {

  /** Refuses a cell without series. */
  public WindowCell {
    Objects.requireNonNull(series, "series must not be null");
  }

  /**
   * The cell of a series that holds this time: {@code WindowCell.at(series, clock.millis())}.
   *
   * @param series the series
   * @param nowMillis milliseconds since 1970
   * @return the cell
   */
  public static WindowCell at(Series series, long nowMillis) {
    return new WindowCell(series, Math.floorDiv(nowMillis, series.scope().windowMillis()));
  }

  /**
   * The cell before this one, which weighs on it: {@code cell.previous()}.
   *
   * @return the cell of the same series
   */
  public WindowCell previous() {
    return new WindowCell(series, sequence - 1);
  }
}
