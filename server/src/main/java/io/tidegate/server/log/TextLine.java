package io.tidegate.server.log;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * For people: {@code 2026-11-16T05:00:00.123Z INFO io.tidegate.server listening port=8080}.
 *
 * <p>Whatever a client or a library put into a message, it stays on its line.
 */
final class TextLine extends Line {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  /** The time of a record, always with three digits after the second. */
  static String time(Instant instant) {
    return TIME.format(instant);
  }

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder()
        .append(time(record.getInstant()))
        .append(String.format(" %-5s ", LogLevel.of(record.getLevel())))
        .append(Escaped.of(String.valueOf(record.getLoggerName())))
        .append("  ")
        .append(Escaped.of(message(record)));
    Fields.of(record)
        .values()
        .forEach((name, value) ->
            line.append(' ').append(Escaped.of(name)).append('=').append(show(value)));
    if (record.getThrown() != null) {
      line.append(" error=").append(quote(describe(record.getThrown())));
    }
    return line.append('\n').toString();
  }

  private static String show(@Nullable Object value) {
    String text = String.valueOf(value);
    boolean plain = !text.isEmpty()
        && text.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=' || c == '\\');
    return plain ? Escaped.of(text) : quote(text);
  }

  private static String quote(String text) {
    return '"' + Escaped.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
