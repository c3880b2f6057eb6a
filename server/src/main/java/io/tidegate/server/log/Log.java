package io.tidegate.server.log;

import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells of events, with fields that programs can find: {@code Log.info("listening", "port", 8080)}.
 *
 * <p>Fields are names and values in turn. The names {@code time}, {@code level}, {@code logger},
 * {@code message} and {@code error} are taken.
 */
public final class Log {

  private static final Logger LOGGER = Logger.getLogger("io.tidegate.server");

  private Log() {}

  /** Whether events of this level are logged. */
  public static boolean shows(LogLevel level) {
    return LOGGER.isLoggable(level.level());
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

  /** With what went wrong. */
  public static void warn(String message, Throwable error, @Nullable Object... fields) {
    log(LogLevel.WARN, message, error, fields);
  }

  public static void error(String message, @Nullable Object... fields) {
    log(LogLevel.ERROR, message, null, fields);
  }

  /** With what went wrong. */
  public static void error(String message, Throwable error, @Nullable Object... fields) {
    log(LogLevel.ERROR, message, error, fields);
  }

  private static void log(
      LogLevel level, String message, @Nullable Throwable error, @Nullable Object... fields) {
    if (shows(level)) {
      LogRecord record = new LogRecord(level.level(), message);
      record.setLoggerName(LOGGER.getName());
      record.setThrown(error);
      record.setParameters(new Object[] {Fields.of(fields)});
      LOGGER.log(record);
    }
  }
}
