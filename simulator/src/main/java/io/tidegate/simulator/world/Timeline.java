package io.tidegate.simulator.world;

import java.util.PriorityQueue;

/**
 * Virtual time: a queue of events that runs them by time, and events of the same time in the order
 * in which they were scheduled. Used by one thread.
 */
public final class Timeline {

  private record Event(long nanos, long order, Runnable work) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      return nanos != other.nanos
          ? Long.compare(nanos, other.nanos)
          : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long scheduled;
  private Runnable afterEach = () -> {};

  /** Nanoseconds since the start of the simulation. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Schedules an event for a time, or for now if that time has passed. */
  public void at(long nanos, Runnable work) {
    events.add(new Event(Math.max(nanos, nowNanos), scheduled++, work));
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
    for (Event next = events.peek(); next != null && next.nanos <= nanos; next = events.peek()) {
      events.remove();
      nowNanos = next.nanos;
      next.work.run();
      afterEach.run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** Total number of events scheduled. */
  public long scheduled() {
    return scheduled;
  }
}
