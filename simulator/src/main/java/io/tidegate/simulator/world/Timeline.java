package io.tidegate.simulator.world;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: a queue of events that runs them by time, and events of the same time in the order
 * in which they were scheduled. Used by one thread.
 *
 * <p>The queue is a 4-ary heap in arrays of primitives. A simulation spends most of its time here,
 * and a heap of event objects would cost a cache miss per comparison.
 */
public final class Timeline {

  private static final int BRANCHES = 4;

  private long[] times = new long[1024];
  private long[] orders = new long[1024];
  private @Nullable Runnable[] works = new Runnable[1024];
  private int size;
  private long nowNanos;
  private long scheduled;
  private Runnable afterEach = () -> {};

  /** Nanoseconds since the start of the simulation. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Schedules an event for a time, or for now if that time has passed. */
  public void at(long nanos, Runnable work) {
    if (size == times.length) {
      grow();
    }
    rise(size++, Math.max(nanos, nowNanos), scheduled++, work);
  }

  /** Schedules an event after a delay. */
  public void after(long nanos, Runnable work) {
    at(nowNanos + nanos, work);
  }

  /** Sets an action that runs after each event, outside of all code of the event. */
  public void afterEach(Runnable work) {
    afterEach = work;
  }

  /** Runs all events up to a time, and advances to that time. */
  public void runUntil(long nanos) {
    while (size > 0 && times[0] <= nanos) {
      nowNanos = times[0];
      Runnable work = Objects.requireNonNull(works[0]);
      removeFirst();
      work.run();
      afterEach.run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** Total number of events scheduled. */
  public long scheduled() {
    return scheduled;
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
    Runnable work = Objects.requireNonNull(works[last]);
    works[last] = null;
    if (last > 0) {
      sink(time, order, work);
    }
  }

  /** Inserts an event at a gap or above it, where no later event precedes it. */
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

  /** Inserts an event at the root or below it, where no later event precedes it. */
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

  private void put(int at, long time, long order, @Nullable Runnable work) {
    times[at] = time;
    orders[at] = order;
    works[at] = work;
  }
}
