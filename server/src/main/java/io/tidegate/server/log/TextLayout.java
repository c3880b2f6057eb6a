package io.tidegate.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Lines for people: {@code 2026-11-16T05:00:00.123Z INFO io.tidegate.server listening port=8080}.
 *
 * <p>Every part is escaped, so text of a client or a library cannot start a line of its own or pass
 * for another field.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder()
        .append(EventText.time(event))
        .append(String.format(" %-5s ", event.getLevel()))
        .append(Escaped.of(event.getLoggerName()))
        .append("  ")
        .append(Escaped.of(EventText.message(event)));
    for (KeyValuePair field : EventText.fields(event)) {
      line.append(' ').append(Escaped.of(field.key)).append('=').append(show(field.value));
    }
    if (event.getThrowableProxy() != null) {
      line.append(" error=").append(quote(EventText.error(event.getThrowableProxy())));
    }
    return line.append('\n').toString();
  }

  private static String show(@Nullable Object value) {
    String text = EventText.value(value);
    boolean plain = !text.isEmpty()
        && text.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=' || c == '\\');
    return plain ? Escaped.of(text) : quote(text);
  }

  private static String quote(String text) {
    return '"' + Escaped.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
