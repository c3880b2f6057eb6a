package io.tidegate.server.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs events of the server with named fields: {@code Log.info("listening", "port", 8080)}.
 *
 * <p>Fields are alternating names and values. All lines have the logger name
 * {@code io.tidegate.server}, so that operators need one rule to select them. The message is never
 * a pattern: braces in it are text.
 */
public final class Log {

  private static final Logger LOGGER = LoggerFactory.getLogger("io.tidegate.server");

  private Log() {}

  /** Returns whether events of this level are logged. */
  public static boolean shows(LogLevel level) {
    return LOGGER.isEnabledForLevel(level.level());
  }

  public static void debug(String message, @Nullable Object... fields) {
    log(LogLevel.DEBUG, message, null, fields);
  }

  public static void info(String message, @Nullable Object... fields) {
    log(LogLevel.INFO, message, null, fields);
  }

  public static void warn(String message, @Nullable Object... fields) {
    log(LogLevel.WARN, message, null, fields);
  }

  /** Logs a warning with its cause. */
  public static void warn(String message, Throwable error, @Nullable Object... fields) {
    log(LogLevel.WARN, message, error, fields);
  }

  public static void error(String message, @Nullable Object... fields) {
    log(LogLevel.ERROR, message, null, fields);
  }

  /** Logs an error with its cause. */
  public static void error(String message, Throwable error, @Nullable Object... fields) {
    log(LogLevel.ERROR, message, error, fields);
  }

  private static void log(
      LogLevel level, String message, @Nullable Throwable error, @Nullable Object... fields) {
    if (fields.length % 2 != 0) {
      throw new IllegalArgumentException(
          "fields must be alternating names and values: " + fields.length);
    }
    LoggingEventBuilder event = LOGGER.atLevel(level.level()).setCause(error);
    for (int i = 0; i < fields.length; i += 2) {
      event = event.addKeyValue(String.valueOf(fields[i]), fields[i + 1]);
    }
    event.log(message);
  }
}
