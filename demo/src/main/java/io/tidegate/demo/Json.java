package io.tidegate.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, booleans, {@code Long} and {@code Double}. */
final class Json {

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** An object in the order of its members: {@code object("region", "eu", "nodes", 2)}. */
  static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  static String write(Map<String, @Nullable Object> object) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, object);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> object) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : object.entrySet()) {
        json.writeFieldName(String.valueOf(member.getKey()));
        write(json, member.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text is not one JSON object
   */
  @SuppressWarnings("unchecked") // keys of objects are texts
  static Map<String, @Nullable Object> parse(String text) {
    try (JsonParser json = FACTORY.createParser(text)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        Object object = value(json);
        if (json.nextToken() == null && object != null) {
          return (Map<String, @Nullable Object>) object;
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON: " + text, e);
    }
    throw new IllegalArgumentException("no JSON object: " + text);
  }

  /** The object that is the value of a member; empty if there is none. */
  @SuppressWarnings("unchecked") // keys of objects are texts
  static Map<String, @Nullable Object> member(Map<String, @Nullable Object> object, String name) {
    return object.get(name) instanceof Map<?, ?> member
        ? (Map<String, @Nullable Object>) member
        : Map.of();
  }

  private static @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value(json));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<@Nullable Object> array = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(json));
        }
        yield array;
      }
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> json.getText();
    };
  }
}
