package io.tidegate.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.tidegate.server.http.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads one body, in one pass, and says everything that is wrong with it (up to a bound: there are
 * bodies in which everything is).
 */
final class BodyReader {

  private static final int MOST_VIOLATIONS = 20;

  /**
   * How many tokens are skipped that have no place in a body. Ten megabytes of new names take the
   * parser seconds, in which nobody else is answered: what comes after these is not read.
   */
  private static final int MOST_SKIPPED = 1_000;

  /** How much of a wrong text is shown. */
  private static final int SHOWN_CHARACTERS = 32;

  /** An array of objects is two deep; what is deeper is wrong, and is skipped. */
  private static final int MAX_DEPTH = 32;

  private static final JsonFactory JSON = new JsonFactoryBuilder()
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.CHARSET_DETECTION) // it is UTF-8, and nothing else
      .streamReadConstraints(
          StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
      .build();

  private final Shape shape;
  private final List<Violation> violations = new ArrayList<>(0);
  private int skipped;

  /** Enough is wrong: the rest is not read. */
  private boolean stopped;

  private BodyReader(Shape shape) {
    this.shape = shape;
  }

  /** What a body says. */
  record Body(List<Fields> objects, List<Violation> violations) {}

  /** Whether it is text at all. */
  static boolean isText(byte[] body) {
    for (byte b : body) {
      if (b < 0) {
        return isUtf8(body);
      }
    }
    return true;
  }

  private static boolean isUtf8(byte[] body) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Reads a body that is one object. */
  static Body object(Shape shape, byte[] body) {
    return new BodyReader(shape).read(body, 0);
  }

  /** Reads a body that is an array of one to so many objects. */
  static Body array(Shape shape, byte[] body, int most) {
    return new BodyReader(shape).read(body, most);
  }

  private Body read(byte[] body, int mostObjects) {
    List<Fields> objects = new ArrayList<>(1);
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() == null) {
        wrong("body", "must not be empty");
      } else if (mostObjects == 0) {
        objects.add(readObject(json, "body"));
      } else {
        readArray(json, objects, mostObjects);
      }
      if (violations.isEmpty() && json.nextToken() != null) {
        wrong("body", "must end after its first value");
      }
    } catch (StreamConstraintsException e) { // which does not always know where
      wrong("body", "is nested too deeply, or has a name or a number that is too long");
    } catch (JsonProcessingException e) {
      wrong(
          "body",
          "is not valid JSON at line " + e.getLocation().getLineNr() + ", column "
              + e.getLocation().getColumnNr());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return new Body(objects, violations);
  }

  private void readArray(JsonParser json, List<Fields> objects, int most) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      wrong("body", "must be an array");
      skip(json);
      return;
    }
    int size = 0;
    while (!stopped && json.nextToken() != JsonToken.END_ARRAY) {
      if (size++ < most) {
        objects.add(readObject(json, "body[" + (size - 1) + "]"));
      } else {
        skip(json);
      }
    }
    if (size > most || size < 1) {
      String found = stopped ? "more than " + (size - 1) : Integer.toString(size);
      wrong("body", "must have 1 to " + most + " entries, it has " + found);
    }
  }

  private Fields readObject(JsonParser json, String location) throws IOException {
    Fields fields = new Fields();
    if (json.currentToken() != JsonToken.START_OBJECT) {
      wrong(location, "must be an object");
      skip(json);
      return fields;
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      readProperty(json, fields, name, location);
      if (stopped) {
        return fields;
      }
    }
    for (Field field : shape.required()) {
      if (!fields.has(field)) {
        wrong(location + "." + field.property(), "is required");
      }
    }
    return fields;
  }

  private void readProperty(JsonParser json, Fields fields, String name, String location)
      throws IOException {
    Field field = Field.of(name);
    if (field == null || !shape.allows(field)) {
      wrong(
          location,
          "must not have the property '" + shown(name) + "'",
          "Leave it out; there are "
              + shape.allowed().stream().map(Field::property).collect(Collectors.joining(", "))
              + ".");
      skip(json);
    } else if (fields.has(field)) {
      wrong(location + "." + name, "must not be given twice");
      skip(json);
    } else if (field.isText()) {
      readText(json, fields, field, location);
    } else {
      readNumber(json, fields, field, location);
    }
  }

  private void readText(JsonParser json, Fields fields, Field field, String location)
      throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      fields.present(field);
      wrong(location + "." + field.property(), "must be a string");
      skip(json);
      return;
    }
    String text = json.getText();
    fields.set(field, text);
    Shape.Range range = shape.range(field);
    int length = text.length(); // of characters, a code point has one or two
    if (!range.has(length)) {
      length = text.codePointCount(0, length);
      if (!range.has(length)) {
        wrong(
            location + "." + field.property(),
            "must have " + range.least() + " to " + range.most() + " characters, it has " + length);
      }
    }
    if (hasHalfACharacter(text)) {
      wrong(location + "." + field.property(), "must be text, without half a surrogate pair");
    }
  }

  private static boolean hasHalfACharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private void readNumber(JsonParser json, Fields fields, Field field, String location)
      throws IOException {
    fields.present(field);
    if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      wrong(location + "." + field.property(), "must be an integer");
      skip(json);
      return;
    }
    Shape.Range range = shape.range(field);
    boolean fits = json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    long value = fits ? json.getLongValue() : 0;
    if (!fits || !range.has(value)) {
      wrong(
          location + "." + field.property(),
          "must be between " + range.least() + " and " + range.most() + ": "
              + shown(json.getText()));
    } else {
      fields.set(field, value);
    }
  }

  /** Goes to the end of a value that is wrong. */
  private void skip(JsonParser json) throws IOException {
    int depth = 0;
    for (JsonToken token = json.currentToken(); !stopped; token = json.nextToken()) {
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth == 0) {
        return;
      }
      stopped = ++skipped > MOST_SKIPPED;
    }
  }

  private static String shown(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN_CHARACTERS)) + "...";
  }

  private void wrong(String location, String message) {
    wrong(location, message, null);
  }

  private void wrong(String location, String message, @Nullable String fix) {
    violations.add(new Violation(location, message, fix));
    stopped |= violations.size() >= MOST_VIOLATIONS;
  }
}
