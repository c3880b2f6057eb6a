package io.tidegate.server.http;

import java.util.Arrays;

/**
 * Writes the JSON of an answer. Takes half the time of a general generator, which would be a tenth
 * of the time the server spends on a request apart from the network. Used by one thread.
 *
 * <pre>{@code
 * json.beginObject().field("success", true).field("limit", 10).endObject();
 * }</pre>
 */
public final class JsonWriter {

  /** Longer than most answers. */
  private static final int INITIAL_BYTES = 256;

  /** Longer than the answer to a batch of a hundred entries. */
  private static final int MAX_KEPT_BYTES = 64 << 10;

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /** Digits of the greatest long, and one more because two are written at a time. */
  private static final int MAX_DIGITS = 20;

  /** The first and the second digit of each number below 100. */
  private static final byte[] TENS = new byte[100];

  private static final byte[] ONES = new byte[100];

  static {
    for (int i = 0; i < 100; i++) {
      TENS[i] = (byte) ('0' + i / 10);
      ONES[i] = (byte) ('0' + i % 10);
    }
  }

  private final byte[] digits = new byte[MAX_DIGITS];
  private byte[] bytes = new byte[INITIAL_BYTES];
  private int length;

  /** Whether a comma precedes the next name or array element. */
  private boolean commaFirst;

  JsonWriter() {}

  /** Begins an object: the value of a field, or an element of an array. */
  public JsonWriter beginObject() {
    return begin('{');
  }

  /** Ends an object. */
  public JsonWriter endObject() {
    return end('}');
  }

  /** Begins an array. */
  public JsonWriter beginArray() {
    return begin('[');
  }

  /** Ends an array. */
  public JsonWriter endArray() {
    return end(']');
  }

  /** Writes the name of the next value, which needs no escapes: printable ASCII without quotes. */
  public JsonWriter name(String name) {
    separate();
    add('"');
    ascii(name);
    add('"');
    add(':');
    commaFirst = false;
    return this;
  }

  /** Writes a field with a text. */
  public JsonWriter field(String name, String value) {
    name(name).string(value);
    commaFirst = true;
    return this;
  }

  /** Writes a field with an integer. */
  public JsonWriter field(String name, long value) {
    name(name).number(value);
    commaFirst = true;
    return this;
  }

  /** Writes a field with a boolean. */
  public JsonWriter field(String name, boolean value) {
    name(name).ascii(value ? "true" : "false");
    commaFirst = true;
    return this;
  }

  /** Discards what was written, and memory that only a long answer needed. */
  JsonWriter clear() {
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    length = 0;
    commaFirst = false;
    return this;
  }

  /** What was written, up to {@link #length}; overwritten after the next {@link #clear}. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  private JsonWriter begin(char bracket) {
    separate();
    add(bracket);
    commaFirst = false;
    return this;
  }

  private JsonWriter end(char bracket) {
    add(bracket);
    commaFirst = true;
    return this;
  }

  private void separate() {
    if (commaFirst) {
      add(',');
    }
  }

  private void string(String text) {
    add('"');
    int plain = writePlain(text);
    for (int i = plain; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        add(c);
      } else if (c < 0x80) {
        escape(c);
      } else {
        int codePoint = text.codePointAt(i);
        utf8(codePoint);
        i += Character.charCount(codePoint) - 1;
      }
    }
    add('"');
  }

  /** Writes the beginning of a text up to the first character to escape; returns its length. */
  private int writePlain(String text) {
    int end = text.length();
    room(end);
    byte[] target = bytes;
    int at = length;
    int i = 0;
    for (; i < end; i++) {
      char c = text.charAt(i);
      if (!isPlain(c)) {
        break;
      }
      target[at + i] = (byte) c;
    }
    length = at + i;
    return i;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
  }

  private void escape(char c) {
    add('\\');
    if (c == '"' || c == '\\') {
      add(c);
    } else {
      ascii("u00");
      add((char) HEX[c >> 4]);
      add((char) HEX[c & 0xf]);
    }
  }

  private void utf8(int codePoint) {
    if (codePoint < 0x800) {
      add((char) (0xc0 | (codePoint >> 6)));
    } else {
      if (codePoint < 0x10000) {
        add((char) (0xe0 | (codePoint >> 12)));
      } else {
        add((char) (0xf0 | (codePoint >> 18)));
        add((char) (0x80 | ((codePoint >> 12) & 0x3f)));
      }
      add((char) (0x80 | ((codePoint >> 6) & 0x3f)));
    }
    add((char) (0x80 | (codePoint & 0x3f)));
  }

  private void number(long value) {
    if (value < 0) {
      ascii(Long.toString(value)); // rare; and Long.MIN_VALUE has no positive form
      return;
    }
    int from = MAX_DIGITS;
    long rest = value;
    while (rest >= 10) {
      int pair = (int) (rest % 100);
      rest /= 100;
      digits[--from] = ONES[pair];
      digits[--from] = TENS[pair];
    }
    if (rest > 0 || from == MAX_DIGITS) {
      digits[--from] = (byte) ('0' + rest);
    }
    int size = MAX_DIGITS - from;
    room(size);
    System.arraycopy(digits, from, bytes, length, size);
    length += size;
  }

  @SuppressWarnings("deprecation") // copies the bytes of ASCII at once, as nothing else does
  private void ascii(String text) {
    int size = text.length();
    room(size);
    text.getBytes(0, size, bytes, length);
    length += size;
  }

  private void add(char c) {
    room(1);
    bytes[length++] = (byte) c;
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length + more);
    }
  }
}
