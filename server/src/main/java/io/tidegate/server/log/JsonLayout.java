package io.tidegate.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Lines for programs:
 * {@code {"time":"...","level":"INFO","logger":"...","message":"...","port":8080}}.
 *
 * <p>Logback's own {@code JsonEncoder} is not used: it nests fields in a list, names its members
 * differently and leaves line separators such as U+2028 unescaped.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {

  /**
   * Escapes all but ASCII: viewers break lines or change the direction of text at some characters.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private static final Set<String> RESERVED = Set.of("time", "level", "logger", "message", "error");

  @Override
  public String doLayout(ILoggingEvent event) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", EventText.time(event));
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("message", EventText.message(event));
      for (KeyValuePair field : EventText.fields(event)) {
        json.writeFieldName(RESERVED.contains(field.key) ? field.key + "_" : field.key);
        write(json, field.value);
      }
      if (event.getThrowableProxy() != null) {
        json.writeStringField("error", EventText.error(event.getThrowableProxy()));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.append('\n').toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof Integer || value instanceof Long) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number && Double.isFinite(number)) {
      json.writeNumber(number);
    } else {
      json.writeString(EventText.value(value));
    }
  }
}
