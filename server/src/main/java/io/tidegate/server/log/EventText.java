package io.tidegate.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Parts of an event as both layouts show them, not yet escaped. */
final class EventText {

  /** Enough to find the place in the code; a whole stack would make lines unreadable. */
  private static final int MAX_FRAMES = 3;

  /** Bounds the length of a line. */
  private static final int MAX_CAUSES = 8;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private EventText() {}

  /** The time of the event in UTC, always with milliseconds. */
  static String time(ILoggingEvent event) {
    return TIME.format(event.getInstant());
  }

  /** The message with its arguments. */
  static String message(ILoggingEvent event) {
    return String.valueOf(event.getFormattedMessage());
  }

  static List<KeyValuePair> fields(ILoggingEvent event) {
    List<KeyValuePair> fields = event.getKeyValuePairs();
    return fields == null ? List.of() : fields;
  }

  /** A value as text. A failing {@code toString} must not lose the line; SLF4J does the same. */
  static String value(@Nullable Object value) {
    try {
      return String.valueOf(value);
    } catch (RuntimeException e) {
      return "[FAILED toString()]";
    }
  }

  /** An exception and its causes on one line, each with the place where it was thrown. */
  static String error(IThrowableProxy error) {
    StringBuilder text = new StringBuilder();
    @Nullable IThrowableProxy cause = error;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      text.append(i == 0 ? "" : ", caused by ").append(cause.getClassName());
      if (cause.getMessage() != null) {
        text.append(": ").append(cause.getMessage());
      }
      StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
      for (int j = 0; j < Math.min(MAX_FRAMES, frames.length); j++) {
        text.append(j == 0 ? " (at " : ", ").append(frames[j].getStackTraceElement());
      }
      text.append(frames.length == 0 ? "" : ")");
      cause = cause.getCause();
    }
    return text.toString();
  }
}
