package io.tidegate.server.console;

import io.tidegate.model.Bounds;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a question. Values of another type, and values out of bounds, are rejected by an
 * {@link IllegalArgumentException} that names the field.
 */
final class Fields {

  private final JsonObject json;

  Fields(Buffer body) {
    try {
      this.json = new JsonObject(body);
    } catch (DecodeException | ClassCastException e) {
      throw new IllegalArgumentException("the body must be a JSON object", e);
    }
  }

  /** Rejects all fields but these. */
  void allow(String... names) {
    for (String name : json.fieldNames()) {
      if (!List.of(names).contains(name)) {
        throw new IllegalArgumentException(
            "unknown field: " + name + "; allowed are " + String.join(", ", names));
      }
    }
  }

  /** A text; null if the field is missing, null or empty. */
  @Nullable
  String text(String name) {
    Object value = json.getValue(name);
    if (value == null || value.equals("")) {
      return null;
    }
    if (!(value instanceof String text)) {
      throw new IllegalArgumentException(name + " must be a text: " + value);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(name + " must not contain half a surrogate pair");
    }
    return text;
  }

  String requiredText(String name) {
    String text = text(name);
    if (text == null) {
      throw new IllegalArgumentException(name + " is required");
    }
    return Bounds.checkName(name, text);
  }

  /** An integer; null if the field is missing or null. */
  @Nullable
  Long number(String name) {
    Object value = json.getValue(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Integer) && !(value instanceof Long)) {
      throw new IllegalArgumentException(name + " must be a whole number: " + value);
    }
    return ((Number) value).longValue();
  }

  long requiredTokens(String name) {
    return tokens(name, requiredNumber(name));
  }

  static long tokens(String name, long value) {
    return Bounds.checkTokens(name, value);
  }

  long requiredWindow(String name) {
    return Bounds.checkWindow(requiredNumber(name));
  }

  private long requiredNumber(String name) {
    Long number = number(name);
    if (number == null) {
      throw new IllegalArgumentException(name + " is required");
    }
    return number;
  }
}
