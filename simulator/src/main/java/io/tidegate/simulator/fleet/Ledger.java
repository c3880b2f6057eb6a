package io.tidegate.simulator.fleet;

import io.tidegate.model.Decision;

/**
 * What was admitted of each series, as one counter for the whole fleet would know it at once: how
 * much of a limit fell into the worst window, and whether somebody was denied for no reason.
 */
final class Ledger {

  private static final int WINDOW = FleetTraffic.WINDOW_MILLIS;

  private final FleetTraffic traffic;

  /** When each series was admitted in the last window: a ring for each, all in one. */
  private final int[] times;

  private final int[] ringBegin;
  private final int[] oldest;
  private final int[] inWindow;
  private final int[] worst;

  /** The current cell of each series, what it counts, and what the one before it does. */
  private final long[] cellStart;

  private final int[] current;
  private final int[] previous;

  private boolean measuring;
  private long decisions;
  private long denials;
  private long wrongDenials;

  Ledger(FleetTraffic traffic) {
    this.traffic = traffic;
    int series = traffic.seriesCount();
    this.ringBegin = new int[series + 1];
    for (int i = 0; i < series; i++) {
      // one more, since an answer that took its time may fall into the window of the next
      ringBegin[i + 1] = ringBegin[i] + traffic.askedPerWindow(i) + 1;
    }
    this.times = new int[ringBegin[series]];
    this.oldest = new int[series];
    this.inWindow = new int[series];
    this.worst = new int[series];
    this.cellStart = new long[series];
    this.current = new int[series];
    this.previous = new int[series];
  }

  /** From now on, what happens is part of the figures. */
  void measure() {
    measuring = true;
  }

  /** A node has decided on a request. */
  void decided(int series, long askedMillis, long nowNanos, Decision decision) {
    long start = decision.resetAtMillis() - WINDOW;
    if (start > cellStart[series]) {
      previous[series] = start - cellStart[series] == WINDOW ? current[series] : 0;
      current[series] = 0;
      cellStart[series] = start;
    }
    if (decision.allowed()) {
      if (start == cellStart[series]) {
        current[series]++;
      } else {
        previous[series]++;
      }
      admitted(series, (int) (nowNanos / 1_000_000));
    } else if (measuring) {
      denials++;
      wrongDenials += effective(series, Math.max(askedMillis, start)) <= decision.limit() ? 1 : 0;
    }
    decisions += measuring ? 1 : 0;
  }

  private long effective(int series, long atMillis) {
    long overlap = Math.max(0, WINDOW - (atMillis - cellStart[series]));
    return current[series] + previous[series] * overlap / WINDOW + 1;
  }

  private void admitted(int series, int millis) {
    int begin = ringBegin[series];
    int size = ringBegin[series + 1] - begin;
    int first = oldest[series];
    int count = inWindow[series];
    while (count > 0 && times[begin + first] <= millis - WINDOW) {
      first = first + 1 == size ? 0 : first + 1;
      count--;
    }
    times[begin + (first + count) % size] = millis;
    oldest[series] = first;
    inWindow[series] = ++count;
    if (measuring && count > worst[series]) {
      worst[series] = count;
    }
  }

  long decisions() {
    return decisions;
  }

  long denials() {
    return denials;
  }

  /** How many were denied whom one counter for all would have admitted. */
  long wrongDenials() {
    return wrongDenials;
  }

  /** The most that was admitted of a series within a window, by its limit. */
  double worst(int series) {
    return (double) worst[series] / traffic.ofSeries(series).limit();
  }
}
