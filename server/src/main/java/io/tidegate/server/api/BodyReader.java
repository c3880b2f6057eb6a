package io.tidegate.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.tidegate.server.api.BodySchema.Range;
import io.tidegate.server.http.InputError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and validates one body in one pass. Reports all errors of the body, up to
 * {@value #MAX_ERRORS}.
 */
final class BodyReader {

  /** Documented in openapi.yaml. Enough to correct a body; a hostile one could have thousands. */
  static final int MAX_ERRORS = 20;

  /**
   * How many tokens of invalid values are skipped before the reader gives up. Parsing ten megabytes
   * of unknown property names would block the event loop for seconds.
   */
  private static final int MAX_SKIPPED_TOKENS = 1_000;

  /** How much of an invalid text an error shows. */
  private static final int MAX_SHOWN_CHARACTERS = 32;

  /** An array of objects has two levels; deeper values are invalid, but are skipped as a whole. */
  private static final int MAX_DEPTH = 32;

  private static final JsonFactory JSON = new JsonFactoryBuilder()
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.CHARSET_DETECTION) // only UTF-8 is allowed
      .streamReadConstraints(
          StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
      .build();

  private final BodySchema schema;
  private final List<InputError> errors = new ArrayList<>(0);
  private int skippedTokens;

  /** Set when the reader gives up; the rest of the body is not read. */
  private boolean stopped;

  private BodyReader(BodySchema schema) {
    this.schema = schema;
  }

  /**
   * The content of a body.
   *
   * @param objects the objects, complete and valid if there are no errors
   * @param errors the errors, at most {@link #MAX_ERRORS}
   */
  record Result(List<BodyObject> objects, List<InputError> errors) {}

  static boolean isUtf8(byte[] body) {
    for (byte b : body) {
      if (b < 0) {
        return decodes(body);
      }
    }
    return true; // ASCII, as nearly all bodies are
  }

  private static boolean decodes(byte[] body) {
    try {
      var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Reads a body that is one object. */
  static Result object(BodySchema schema, byte[] body) {
    BodyReader reader = new BodyReader(schema);
    return reader.read(body, json -> List.of(reader.readObject(json, "body")));
  }

  /** Reads a body that is an array of 1 to {@code maxObjects} objects. */
  static Result array(BodySchema schema, byte[] body, int maxObjects) {
    BodyReader reader = new BodyReader(schema);
    return reader.read(body, json -> reader.readArray(json, maxObjects));
  }

  private interface RootValue {
    List<BodyObject> read(JsonParser json) throws IOException;
  }

  private Result read(byte[] body, RootValue root) {
    List<BodyObject> objects = List.of();
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() == null) {
        addError("body", "must not be empty");
      } else {
        objects = root.read(json);
      }
      if (errors.isEmpty() && json.nextToken() != null) {
        addError("body", "must end after its first value");
      }
    } catch (StreamConstraintsException e) { // has no reliable location
      addError("body", "is nested too deeply, or has a name or a number that is too long");
    } catch (JsonProcessingException e) {
      addError(
          "body",
          "is not valid JSON at line " + e.getLocation().getLineNr() + ", column "
              + e.getLocation().getColumnNr());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // impossible: the source is an array
    }
    return new Result(objects, errors);
  }

  private List<BodyObject> readArray(JsonParser json, int maxObjects) throws IOException {
    List<BodyObject> objects = new ArrayList<>();
    if (json.currentToken() != JsonToken.START_ARRAY) {
      addError("body", "must be an array");
      skip(json);
      return objects;
    }
    int size = 0;
    while (!stopped && json.nextToken() != JsonToken.END_ARRAY) {
      if (size++ < maxObjects) {
        objects.add(readObject(json, "body[" + (size - 1) + "]"));
      } else {
        skip(json);
      }
    }
    if (size > maxObjects || size < 1) {
      String found = stopped ? "more than " + (size - 1) : Integer.toString(size);
      addError("body", "must have 1 to " + maxObjects + " entries, it has " + found);
    }
    return objects;
  }

  private BodyObject readObject(JsonParser json, String location) throws IOException {
    BodyObject object = new BodyObject();
    if (json.currentToken() != JsonToken.START_OBJECT) {
      addError(location, "must be an object");
      skip(json);
      return object;
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      readProperty(json, object, name, location);
      if (stopped) {
        return object;
      }
    }
    for (BodyField field : schema.missing(object)) {
      addError(location, field, "is required");
    }
    for (BodyField field : schema.excluded(object)) {
      addError(
          location + "." + field.property(),
          "must not be given together with a rule",
          "Omit it, or omit the rule.");
    }
    return object;
  }

  private void readProperty(JsonParser json, BodyObject object, String name, String location)
      throws IOException {
    BodyField field = BodyField.of(name);
    Range range = field == null ? null : schema.range(field);
    if (field == null || range == null) {
      String allowed =
          schema.allowed().stream().map(BodyField::property).collect(Collectors.joining(", "));
      addError(
          location,
          "must not have the property '" + shorten(name) + "'",
          "Omit it; the allowed properties are " + allowed + ".");
      skip(json);
    } else if (object.has(field)) {
      addError(location, field, "must not be given twice");
      skip(json);
    } else if (field.isText()) {
      readText(json, object, field, range, location);
    } else {
      readNumber(json, object, field, range, location);
    }
  }

  private void readText(
      JsonParser json, BodyObject object, BodyField field, Range range, String location)
      throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      object.markPresent(field);
      addError(location, field, "must be a string");
      skip(json);
      return;
    }
    String text = json.getText();
    object.set(field, text);
    int length = text.codePointCount(0, text.length());
    if (!range.contains(length)) {
      addError(
          location,
          field,
          "must have " + range.min() + " to " + range.max() + " characters, it has " + length);
    }
    if (hasLoneSurrogate(text)) {
      addError(location, field, "must be text, without half a surrogate pair");
    }
  }

  private static boolean hasLoneSurrogate(String text) {
    int codePoint;
    for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        return true;
      }
    }
    return false;
  }

  private void readNumber(
      JsonParser json, BodyObject object, BodyField field, Range range, String location)
      throws IOException {
    object.markPresent(field);
    if (!isInteger(json)) {
      addError(location, field, "must be an integer");
      skip(json);
    } else if (isLong(json) && range.contains(json.getLongValue())) {
      object.set(field, json.getLongValue());
    } else if (!isLong(json) && contains(range, json.getDecimalValue())) {
      object.set(field, json.getDecimalValue().longValueExact());
    } else {
      addError(
          location,
          field,
          "must be between " + range.min() + " and " + range.max() + ": "
              + shorten(json.getText()));
    }
  }

  /** As JSON Schema defines it: 5.0 and 5e3 are integers. */
  private static boolean isInteger(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    return token == JsonToken.VALUE_NUMBER_INT
        || (token == JsonToken.VALUE_NUMBER_FLOAT && hasNoFraction(json));
  }

  private static boolean hasNoFraction(JsonParser json) throws IOException {
    try {
      return json.getDecimalValue().stripTrailingZeros().scale() <= 0;
    } catch (JsonProcessingException | NumberFormatException e) { // too many digits
      return false;
    }
  }

  private static boolean isLong(JsonParser json) throws IOException {
    JsonParser.NumberType type = json.getNumberType();
    return type == JsonParser.NumberType.INT || type == JsonParser.NumberType.LONG;
  }

  /** Compares without expanding exponents: 1e999999999 has a billion digits. */
  private static boolean contains(Range range, BigDecimal value) {
    return value.compareTo(BigDecimal.valueOf(range.min())) >= 0
        && value.compareTo(BigDecimal.valueOf(range.max())) <= 0;
  }

  /** Skips the rest of an invalid value. */
  private void skip(JsonParser json) throws IOException {
    int depth = 0;
    for (JsonToken token = json.currentToken(); !stopped; token = json.nextToken()) {
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth == 0) {
        return;
      }
      skippedTokens++;
      stopped = skippedTokens > MAX_SKIPPED_TOKENS;
    }
  }

  private static String shorten(String text) {
    return text.codePointCount(0, text.length()) <= MAX_SHOWN_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN_CHARACTERS)) + "...";
  }

  private void addError(String location, BodyField field, String message) {
    addError(location + "." + field.property(), message);
  }

  private void addError(String location, String message) {
    addError(location, message, null);
  }

  private void addError(String location, String message, @Nullable String fix) {
    if (errors.size() < MAX_ERRORS) {
      errors.add(new InputError(location, message, fix));
    }
    if (errors.size() == MAX_ERRORS) {
      stopped = true;
    }
  }
}
