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
   * When the cell begins: {@code cell.startMillis()}.
   *
   * @return milliseconds since 1970
   */
  public long startMillis() {
    return sequence * series.scope().windowMillis();
  }

  /**
   * From when on the cell weighs on no decision: {@code cell.expiresAtMillis() > now}. Derived from
   * the sequence, not from a clock, so that every region agrees on it.
   *
   * @return milliseconds since 1970
   */
  public long expiresAtMillis() {
    return (sequence + 2) * series.scope().windowMillis(); // as "previous", it weighs on the next
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
