package io.tidegate.server.api;

import io.tidegate.server.api.BodySchema.Range;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Fast path for the bodies that clients usually send: one flat, valid object of short integers and
 * ASCII text without escapes. Leaves every other body, valid or not, to {@link BodyReader}, which
 * takes three times as long.
 */
final class PlainBody {

  /** Every number of so many digits fits a long. */
  private static final int MAX_DIGITS = 18;

  private final BodySchema schema;
  private final byte[] body;
  private int at;

  private PlainBody(BodySchema schema, byte[] body) {
    this.schema = schema;
    this.body = body;
  }

  /** Reads a body; null if it needs the full reader. */
  static @Nullable BodyObject read(BodySchema schema, byte[] body) {
    return new PlainBody(schema, body).read();
  }

  private @Nullable BodyObject read() {
    BodyObject object = new BodyObject();
    if (!skip('{')) {
      return null;
    }
    do {
      if (!readProperty(object)) {
        return null;
      }
    } while (skip(','));
    if (!skip('}')) {
      return null;
    }
    skipBlanks();
    return at == body.length && schema.isComplete(object) ? object : null;
  }

  private boolean readProperty(BodyObject object) {
    BodyField field = skip('"') ? BodyField.at(body, at) : null;
    Range range = field == null ? null : schema.range(field);
    if (field == null || range == null || object.has(field)) {
      return false;
    }
    at += field.property().length() + 1;
    if (!skip(':')) {
      return false;
    }
    skipBlanks();
    return field.isText() ? readText(object, field, range) : readNumber(object, field, range);
  }

  private boolean readText(BodyObject object, BodyField field, Range range) {
    if (at == body.length || body[at] != '"') {
      return false;
    }
    int from = ++at;
    while (at < body.length && body[at] >= ' ' && body[at] != '"' && body[at] != '\\') {
      at++;
    }
    if (at == body.length || body[at] != '"' || !range.contains(at - from)) {
      return false;
    }
    object.set(field, new String(body, from, at - from, StandardCharsets.ISO_8859_1));
    at++;
    return true;
  }

  /**
   * Reads digits. If another character follows that belongs to the number, the caller stops there.
   */
  private boolean readNumber(BodyObject object, BodyField field, Range range) {
    int from = at;
    long value = 0;
    while (at < body.length && body[at] >= '0' && body[at] <= '9' && at - from < MAX_DIGITS) {
      value = 10 * value + body[at++] - '0';
    }
    boolean leadingZero = at - from > 1 && body[from] == '0';
    if (at == from || leadingZero || !range.contains(value)) {
      return false;
    }
    object.set(field, value);
    return true;
  }

  /** Skips blanks and the expected character; false if another one is next. */
  private boolean skip(char expected) {
    skipBlanks();
    if (at < body.length && body[at] == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < body.length
        && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
      at++;
    }
  }
}
