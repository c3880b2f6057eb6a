package io.tidegate.demo;

import java.util.Locale;
import java.util.stream.Stream;

/** What people can do on the page. */
enum Action {
  STOP_REDIS,
  START_REDIS,
  CUT_OFF,
  RECONNECT,
  KILL_READER,
  BURST,
  START_ATTACKER,
  STOP_ATTACKER,
  RESET_HIGHEST;

  /** The name in requests, such as {@code stop-redis}. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it breaks something. */
  boolean isFault() {
    return this == STOP_REDIS || this == CUT_OFF || this == KILL_READER;
  }

  /**
   * The action of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Action of(String label) {
    return Stream.of(values())
        .filter(action -> action.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown action: " + label));
  }
}
