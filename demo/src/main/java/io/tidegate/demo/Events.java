package io.tidegate.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened, newest first, in words for people. Bounded and thread-safe. */
final class Events {

  private static final int MAX_EVENTS = 100;

  /** Who caused an event. */
  enum Kind {
    /** A person, or the demo on behalf of one. */
    ACTION,
    /** The fleet, in reaction. */
    REACTION
  }

  /**
   * One line.
   *
   * @param watch what to watch now; may be empty
   */
  record Event(long timeMillis, Kind kind, String text, String watch) {}

  private final Deque<Event> events = new ArrayDeque<>();

  void action(String text, String watch) {
    add(new Event(System.currentTimeMillis(), Kind.ACTION, text, watch));
  }

  void reaction(String text) {
    add(new Event(System.currentTimeMillis(), Kind.REACTION, text, ""));
  }

  private synchronized void add(Event event) {
    events.addFirst(event);
    if (events.size() > MAX_EVENTS) {
      events.removeLast();
    }
  }

  synchronized List<Event> all() {
    return List.copyOf(events);
  }
}
