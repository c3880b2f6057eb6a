package io.tidegate.server.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * For programs: {@code {"time":"...","level":"INFO","logger":"...","message":"...","port":8080}}.
 */
final class JsonLine extends Line {

  /** All but ASCII is escaped, so that no viewer breaks or turns a line at a strange character. */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private static final Set<String> TAKEN = Set.of("time", "level", "logger", "message", "error");

  @Override
  public String format(LogRecord record) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", TextLine.time(record.getInstant()));
      json.writeStringField("level", LogLevel.of(record.getLevel()).name());
      json.writeStringField("logger", String.valueOf(record.getLoggerName()));
      json.writeStringField("message", message(record));
      for (Map.Entry<String, @Nullable Object> field :
          Fields.of(record).values().entrySet()) {
        json.writeFieldName(TAKEN.contains(field.getKey()) ? field.getKey() + "_" : field.getKey());
        write(json, field.getValue());
      }
      if (record.getThrown() != null) {
        json.writeStringField("error", describe(record.getThrown()));
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
      json.writeString(value.toString());
    }
  }
}
