package io.tidegate.simulator.world;

import java.util.Arrays;

/**
 * Virtual time: what is to happen, each at its time, and of one time in the order in which it was
 * planned. One thread does all of it.
 *
 * <p>A heap in which each has four below it, in arrays: most of what a simulation does is here, and
 * objects to compare would lie all over the memory.
 */
public final class Timeline {

  private static final int BRANCHES = 4;

  private long[] times = new long[1024];
  private long[] orders = new long[1024];
  private Runnable[] works = new Runnable[1024];
  private int size;
  private long nowNanos;
  private long planned;
  private Runnable afterEach = () -> {};

  /** Nanoseconds since the beginning. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Plans something for a time, or for now if that has passed. */
  public void at(long nanos, Runnable work) {
    if (size == times.length) {
      grow();
    }
    rise(size++, Math.max(nanos, nowNanos), planned++, work);
  }

  /** Plans something for so much later. */
  public void after(long nanos, Runnable work) {
    at(nowNanos + nanos, work);
  }

  /** Has something done after each event, when nothing of it is under way any more. */
  public void afterEach(Runnable work) {
    afterEach = work;
  }

  /** Lets all happen until a time, which then is now. */
  public void runUntil(long nanos) {
    while (size > 0 && times[0] <= nanos) {
      nowNanos = times[0];
      Runnable work = works[0];
      removeFirst();
      work.run();
      afterEach.run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** How much has been planned so far. */
  public long planned() {
    return planned;
  }

  private void grow() {
    times = Arrays.copyOf(times, 2 * size);
    orders = Arrays.copyOf(orders, 2 * size);
    works = Arrays.copyOf(works, 2 * size);
  }

  private void removeFirst() {
    int last = --size;
    long time = times[last];
    long order = orders[last];
    Runnable work = works[last];
    works[last] = null;
    if (last > 0) {
      sink(time, order, work);
    }
  }

  /** Puts something where there is a gap, or above what is later. */
  private void rise(int gap, long time, long order, Runnable work) {
    int at = gap;
    while (at > 0) {
      int above = (at - 1) / BRANCHES;
      if (!isBefore(time, order, above)) {
        break;
      }
      move(above, at);
      at = above;
    }
    put(at, time, order, work);
  }

  /** Puts something first, or below what is earlier. */
  private void sink(long time, long order, Runnable work) {
    int at = 0;
    while (true) {
      int first = BRANCHES * at + 1;
      if (first >= size) {
        break;
      }
      int earliest = first;
      int end = Math.min(first + BRANCHES, size);
      for (int i = first + 1; i < end; i++) {
        if (isBefore(times[i], orders[i], earliest)) {
          earliest = i;
        }
      }
      if (isBefore(time, order, earliest)) {
        break;
      }
      move(earliest, at);
      at = earliest;
    }
    put(at, time, order, work);
  }

  private boolean isBefore(long time, long order, int other) {
    return time != times[other] ? time < times[other] : order < orders[other];
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], works[from]);
  }

  private void put(int at, long time, long order, Runnable work) {
    times[at] = time;
    orders[at] = order;
    works[at] = work;
  }
}
