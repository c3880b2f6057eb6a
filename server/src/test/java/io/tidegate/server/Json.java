package io.tidegate.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as maps, lists, texts, booleans and numbers: a {@code Long} where the text has an integer, a
 * {@code Double} where it has not.
 */
final class Json {

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** Such as {@code object("namespace", "email", "limit", 10)}. */
  static String object(Object... namesAndValues) {
    return write(map(namesAndValues));
  }

  static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  static @Nullable Object parse(String text) {
    try (JsonParser json = FACTORY.createParser(text)) {
      json.nextToken();
      Object value = value(json);
      if (json.nextToken() != null) {
        throw new AssertionError("more than one value: " + text);
      }
      return value;
    } catch (IOException e) {
      throw new AssertionError("no JSON: " + text, e);
    }
  }

  private static @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> object(json);
      case START_ARRAY -> array(json);
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + json.currentToken());
    };
  }

  private static Map<String, Object> object(JsonParser json) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      if (object.containsKey(name)) {
        throw new AssertionError("twice in one object: " + name);
      }
      object.put(name, value(json));
    }
    return object;
  }

  private static List<Object> array(JsonParser json) throws IOException {
    List<Object> array = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(json));
    }
    return array;
  }

  static String write(@Nullable Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> object) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : object.entrySet()) {
        json.writeFieldName((String) field.getKey());
        write(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> array) {
      json.writeStartArray();
      for (Object element : array) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Number number) {
      json.writeNumber(number.toString());
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString((String) value);
    }
  }
}
