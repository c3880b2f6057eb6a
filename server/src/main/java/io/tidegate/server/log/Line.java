package io.tidegate.server.log;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/** What both formats of a line have in common. */
abstract class Line extends Formatter {

  /** Enough to find the place; a line is no place for a whole stack. */
  private static final int MOST_FRAMES = 3;

  /** A chain of causes may be a circle. */
  private static final int MOST_CAUSES = 8;

  /** The message with its parameters; one with fields has none, and is taken as it stands. */
  final String message(LogRecord record) {
    return String.valueOf(
        Fields.of(record) == Fields.NONE ? formatMessage(record) : record.getMessage());
  }

  /** An exception, where it was thrown, and the same of what caused it. */
  static String describe(Throwable error) {
    StringBuilder text = new StringBuilder();
    @Nullable Throwable cause = error;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      text.append(i == 0 ? "" : ", caused by ").append(cause);
      StackTraceElement[] frames = cause.getStackTrace();
      for (int j = 0; j < Math.min(MOST_FRAMES, frames.length); j++) {
        text.append(j == 0 ? " (at " : ", ").append(frames[j]);
      }
      text.append(frames.length == 0 ? "" : ")");
      cause = cause.getCause();
    }
    return text.toString();
  }
}
