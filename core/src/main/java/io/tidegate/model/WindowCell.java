package io.tidegate.model;

import java.util.Objects;

/**
 * One fixed window of one series: the unit in which tokens are counted, shared and merged.
 *
 * <pre>{@code
 * WindowCell cell = WindowCell.at(series, clock.millis());
 * }</pre>
 *
 * @param series the series
 * @param sequence index of the window, counted from 1970-01-01T00:00Z
 */
public record WindowCell(Series series, long sequence) {

  /** Rejects a missing series. */
  public WindowCell {
    Objects.requireNonNull(series, "series must not be null");
  }

  /**
   * Returns the cell of a series at a time: {@code WindowCell.at(series, clock.millis())}.
   *
   * @param series the series
   * @param nowMillis milliseconds since 1970
   * @return the cell
   */
  public static WindowCell at(Series series, long nowMillis) {
    return new WindowCell(series, Math.floorDiv(nowMillis, series.scope().windowMillis()));
  }

  /**
   * Returns the start of the window: {@code cell.startMillis()}.
   *
   * @return milliseconds since 1970
   */
  public long startMillis() {
    return sequence * series.scope().windowMillis();
  }

  /**
   * Returns the time from which the cell no longer affects decisions: {@code cell.expiresAtMillis()
   * > now}. It is derived from the sequence and not from a clock, so that all regions agree.
   *
   * @return milliseconds since 1970
   */
  public long expiresAtMillis() {
    return (sequence + 2) * series.scope().windowMillis(); // it affects the next window too
  }

  /**
   * Returns the cell of the window before: {@code cell.previous()}.
   *
   * @return the cell of the same series
   */
  public WindowCell previous() {
    return new WindowCell(series, sequence - 1);
  }
}
