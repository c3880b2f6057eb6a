package io.tidegate.server.log;

import org.slf4j.event.Level;

/** Verbosity of the log. Each level includes the ones before it. */
public enum LogLevel {
  ERROR(Level.ERROR),
  WARN(Level.WARN),
  INFO(Level.INFO),
  DEBUG(Level.DEBUG);

  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }
}
