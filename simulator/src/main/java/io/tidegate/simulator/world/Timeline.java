package io.tidegate.simulator.world;

import java.util.PriorityQueue;

/**
 * Virtual time: what is to happen, each at its time, and of one time in the order in which it was
 * planned. One thread does all of it.
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
  private long planned;
  private Runnable afterEach = () -> {};

  /** Nanoseconds since the beginning. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Plans something for a time, or for now if that has passed. */
  public void at(long nanos, Runnable work) {
    events.add(new Event(Math.max(nanos, nowNanos), planned++, work));
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
    while (!events.isEmpty() && events.peek().nanos <= nanos) {
      Event next = events.remove();
      nowNanos = next.nanos;
      next.work.run();
      afterEach.run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** How much has been planned so far. */
  public long planned() {
    return planned;
  }
}
