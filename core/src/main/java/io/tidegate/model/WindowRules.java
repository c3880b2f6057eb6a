package io.tidegate.model;

/**
 * The durations that follow from a window: how long a denial keeps a series in strict mode, and how
 * long a cell is kept. The limiter, its adapters and the simulator's checks share them.
 */
public final class WindowRules {

  /**
   * Windows for which a cell is kept, from its start: one in which it is current, one in which it
   * weighs on decisions as the previous cell, and one for nodes whose clocks are behind.
   */
  public static final int CELL_LIFETIME_WINDOWS = 3;

  private WindowRules() {}

  /**
   * The end of strict mode after a denial: {@code strictUntilMillis(now, 60_000)}. It lasts one
   * window, because a denial shows that the series uses its whole limit, and the tokens that led to
   * the denial weigh on decisions for a window.
   *
   * @param deniedAtMillis when the request was denied, in milliseconds since 1970
   * @param windowMillis length of the window
   * @return milliseconds since 1970
   */
  public static long strictUntilMillis(long deniedAtMillis, long windowMillis) {
    return deniedAtMillis + windowMillis;
  }

  /**
   * The end of a cell's lifetime: {@code cellRemovedAtMillis(cell.startMillis(), 60_000)}. A node
   * may remove the cell from then on, and neither sends nor expects its count any more.
   *
   * @param startMillis when the cell began, in milliseconds since 1970
   * @param windowMillis length of the window
   * @return milliseconds since 1970
   */
  public static long cellRemovedAtMillis(long startMillis, long windowMillis) {
    return startMillis + CELL_LIFETIME_WINDOWS * windowMillis;
  }
}
