package io.tidegate.server.api;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies as clients send them: one flat object of short numbers and text in ASCII, with
 * nothing escaped and nothing wrong. Of everything else it understands nothing, and leaves it to
 * {@link BodyReader}, which takes three times as long.
 */
final class PlainBody {

  /** A number of so many digits fits a long. */
  private static final int MOST_DIGITS = 18;

  private final Shape shape;
  private final byte[] body;
  private int at;

  private PlainBody(Shape shape, byte[] body) {
    this.shape = shape;
    this.body = body;
  }

  /** What it says; null if it is not as plain as that. */
  static @Nullable Fields read(Shape shape, byte[] body) {
    return new PlainBody(shape, body).read();
  }

  private @Nullable Fields read() {
    Fields fields = new Fields();
    if (!skip('{')) {
      return null;
    }
    do {
      Field field = field();
      if (field == null || !shape.allows(field) || fields.has(field) || !skip(':')) {
        return null;
      }
      blanks();
      if (!(field.isText() ? text(fields, field) : number(fields, field))) {
        return null;
      }
    } while (skip(','));
    if (!skip('}')) {
      return null;
    }
    blanks();
    return at == body.length && shape.isComplete(fields) ? fields : null;
  }

  private @Nullable Field field() {
    if (!skip('"')) {
      return null;
    }
    for (Field field : Field.ALL) {
      if (startsWith(field.property())) {
        at += field.property().length() + 1;
        return field;
      }
    }
    return null;
  }

  /** Whether a name and its closing quote are next. */
  private boolean startsWith(String name) {
    int end = at + name.length();
    if (end >= body.length || body[end] != '"') {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (body[at + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean text(Fields fields, Field field) {
    if (at == body.length || body[at] != '"') {
      return false;
    }
    int from = ++at;
    while (at < body.length && body[at] >= ' ' && body[at] != '"' && body[at] != '\\') {
      at++;
    }
    if (at == body.length || body[at] != '"' || !shape.range(field).has(at - from)) {
      return false;
    }
    fields.set(field, new String(body, from, at - from, StandardCharsets.ISO_8859_1));
    at++;
    return true;
  }

  private boolean number(Fields fields, Field field) {
    int from = at;
    long value = 0;
    while (at < body.length && body[at] >= '0' && body[at] <= '9' && at - from < MOST_DIGITS) {
      value = 10 * value + body[at++] - '0';
    }
    boolean leadingZero = at - from > 1 && body[from] == '0';
    if (at == from || leadingZero || !shape.range(field).has(value)) {
      return false;
    }
    fields.set(field, value);
    return true; // what follows has to be a comma or the end, and is looked at there
  }

  /** Goes past blanks and this; says whether it was there. */
  private boolean skip(char expected) {
    blanks();
    if (at < body.length && body[at] == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void blanks() {
    while (at < body.length
        && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
      at++;
    }
  }
}
