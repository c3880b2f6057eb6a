package io.tidegate.server.log;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * What an event is about, beside its message. It travels as the one parameter of a record.
 *
 * @param values by their names, in the order of the line
 */
record Fields(Map<String, @Nullable Object> values) {

  static final Fields NONE = new Fields(Map.of());

  /** Of names and values in turn. */
  static Fields of(@Nullable Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "fields must be names and values in turn, there are " + namesAndValues.length);
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return new Fields(Collections.unmodifiableMap(values));
  }

  /** None for what others log. */
  static Fields of(LogRecord record) {
    Object[] parameters = record.getParameters();
    return parameters != null && parameters.length == 1 && parameters[0] instanceof Fields fields
        ? fields
        : NONE;
  }
}
