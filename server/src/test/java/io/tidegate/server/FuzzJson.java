package io.tidegate.server;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict parser for RFC 8259, independent of the server's: maps, lists, strings, booleans, null. A
 * number is a {@link Long} if its value is an integer that fits, otherwise {@link BigDecimal#ONE}.
 * Rejects an object with a duplicate name.
 */
final class FuzzJson {

  /** The server's bound too; no valid body is this deep. */
  private static final int MAX_DEPTH = 32;

  /** Thrown for a text that is not JSON. */
  static final class Malformed extends Exception {

    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  private final String text;
  private int at;
  private int depth;

  private FuzzJson(String text) {
    this.text = text;
  }

  static Object parse(byte[] utf8) throws Malformed {
    try {
      return parse(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
    } catch (CharacterCodingException e) {
      throw new Malformed("not UTF-8");
    }
  }

  static Object parse(String text) throws Malformed {
    FuzzJson json = new FuzzJson(text);
    json.space();
    Object value = json.value();
    json.space();
    if (json.at < text.length()) {
      throw json.malformed("text after the value");
    }
    return value;
  }

  private Malformed malformed(String what) {
    return new Malformed(what + " at " + at + " of " + text.length());
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\uffff';
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean skip(String expected) {
    if (text.startsWith(expected, at)) {
      at += expected.length();
      return true;
    }
    return false;
  }

  private Object value() throws Malformed {
    char c = peek();
    if (c == '{') {
      return object();
    }
    if (c == '[') {
      return array();
    }
    if (c == '"') {
      return string();
    }
    if (c == '-' || isDigit(c)) {
      return number();
    }
    if (skip("true")) {
      return true;
    }
    if (skip("false")) {
      return false;
    }
    if (skip("null")) {
      return Void.class;
    }
    throw malformed("missing value");
  }

  private void deeper() throws Malformed {
    at++;
    if (++depth > MAX_DEPTH) {
      throw malformed("nested too deep");
    }
    space();
  }

  private Map<String, Object> object() throws Malformed {
    Map<String, Object> object = new LinkedHashMap<>();
    deeper();
    if (!skip("}")) {
      do {
        space();
        if (peek() != '"') {
          throw malformed("missing name");
        }
        String name = string();
        space();
        if (!skip(":")) {
          throw malformed("missing colon");
        }
        space();
        if (object.put(name, value()) != null) {
          throw malformed("duplicate name");
        }
        space();
      } while (skip(","));
      if (!skip("}")) {
        throw malformed("unterminated object");
      }
    }
    depth--;
    return object;
  }

  private List<Object> array() throws Malformed {
    List<Object> array = new ArrayList<>();
    deeper();
    if (!skip("]")) {
      do {
        space();
        array.add(value());
        space();
      } while (skip(","));
      if (!skip("]")) {
        throw malformed("unterminated array");
      }
    }
    depth--;
    return array;
  }

  private String string() throws Malformed {
    StringBuilder string = new StringBuilder();
    for (at++; peek() != '"'; at++) {
      if (at >= text.length() || peek() < ' ') {
        throw malformed("unterminated string, or control character in a string");
      }
      string.append(peek() == '\\' ? escaped() : peek());
    }
    at++;
    return string.toString();
  }

  /** Reads an escape sequence, up to its last character. */
  private char escaped() throws Malformed {
    at++;
    int plain = "\"\\/bfnrt".indexOf(peek());
    if (plain >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(plain);
    }
    if (peek() != 'u' || at + 4 >= text.length()) {
      throw malformed("invalid escape");
    }
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char hex = text.charAt(++at);
      int digit = hex < 128 ? Character.digit(hex, 16) : -1;
      if (digit < 0) {
        throw malformed("missing hexadecimal digit");
      }
      unit = (unit << 4) | digit;
    }
    return (char) unit;
  }

  private Object number() throws Malformed {
    int start = at;
    skip("-");
    if (!skip("0")) {
      digits();
    }
    if (skip(".")) {
      digits();
    }
    if (skip("e") || skip("E")) {
      if (!skip("+")) {
        skip("-");
      }
      digits();
    }
    try {
      return new BigDecimal(text.substring(start, at)).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return BigDecimal.ONE; // not an integer, or beyond every bound
    }
  }

  private void digits() throws Malformed {
    if (!isDigit(peek())) {
      throw malformed("missing digit");
    }
    while (isDigit(peek())) {
      at++;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
