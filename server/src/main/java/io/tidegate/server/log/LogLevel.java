package io.tidegate.server.log;

import java.util.logging.Level;

/** How much the log has; each level has also what is above it. */
public enum LogLevel {
  ERROR(Level.SEVERE),
  WARN(Level.WARNING),
  INFO(Level.INFO),
  DEBUG(Level.FINE);

  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  Level level() {
    return level;
  }

  /** The name of any level that a library may use. */
  static LogLevel of(Level level) {
    for (LogLevel candidate : values()) {
      if (level.intValue() >= candidate.level.intValue()) {
        return candidate;
      }
    }
    return DEBUG;
  }
}
