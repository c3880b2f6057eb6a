package io.tidegate.server.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The request line and the headers of a plain request: a {@code POST} over HTTP/1.1 to the exact
 * path of an endpoint, with a body of a stated length.
 *
 * <p>The reader is strict. It accepts no request that could be read in two ways, such as one with
 * two lengths, with another line ending, or with a header that changes how the connection is used.
 * Vert.x reads those. Belongs to one event loop.
 */
final class PlainHead {

  /** Longest head and body; those of known clients are far shorter. */
  static final int MAX_HEAD_BYTES = 8 << 10;

  static final int MAX_BODY_BYTES = 32 << 10;

  /** Longest head that a connection keeps: ten thousand connections may keep four each. */
  private static final int MAX_SMALL_BYTES = 1 << 10;

  private static final int MAX_SMALL_HEADERS = 32;

  /** The end of the head has not arrived yet. */
  static final PlainHead INCOMPLETE = new PlainHead(new byte[0], null, 0, new int[0]);

  /** The request is not a plain one. */
  static final PlainHead OTHER = new PlainHead(new byte[0], null, 0, new int[0]);

  private static final byte[] METHOD = ascii("POST ");
  private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");

  /** Every length of so many digits fits an int. */
  private static final int MAX_LENGTH_DIGITS = 6;

  /** For each byte, whether it may be part of a header's name. */
  private static final boolean[] NAME_BYTES = nameBytes();

  private final byte[] bytes;
  private final @Nullable Endpoint endpoint;
  private final int bodyLength;

  /** For each header, the begin and end of its name and of its value. */
  private final int[] headers;

  private @Nullable Derived derived;

  /** What a function returned for an exchange with this head. */
  private record Derived(Function<HttpExchange, ?> reader, Object value) {}

  private PlainHead(byte[] bytes, @Nullable Endpoint endpoint, int bodyLength, int[] headers) {
    this.bytes = bytes;
    this.endpoint = endpoint;
    this.bodyLength = bodyLength;
    this.headers = headers;
  }

  /** Number of bytes, with the empty line at the end. */
  int length() {
    return bytes.length;
  }

  /** Whether a connection may keep this head; false for the two that are none. */
  boolean isSmall() {
    return bytes.length > 0
        && bytes.length <= MAX_SMALL_BYTES
        && headers.length <= 4 * MAX_SMALL_HEADERS;
  }

  int bodyLength() {
    return bodyLength;
  }

  Endpoint endpoint() {
    if (endpoint == null) {
      throw new IllegalStateException("this is not the head of a plain request");
    }
    return endpoint;
  }

  /** Whether the bytes begin with this head. */
  boolean isAt(byte[] source, int from, int to) {
    return to - from >= bytes.length
        && Arrays.equals(source, from, from + bytes.length, bytes, 0, bytes.length);
  }

  @Nullable
  String header(CharSequence name) {
    for (int i = 0; i < headers.length; i += 4) {
      if (isNamed(i, name)) {
        return value(i);
      }
    }
    return null;
  }

  List<String> headers(CharSequence name) {
    List<String> values = new ArrayList<>(1);
    for (int i = 0; i < headers.length; i += 4) {
      if (isNamed(i, name)) {
        values.add(value(i));
      }
    }
    return values;
  }

  /** What the function returns for an exchange with this head; calls it for the first one only. */
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // the value is of that function
  <T> T read(HttpExchange exchange, Function<HttpExchange, T> reader) {
    Derived known = derived;
    if (known == null || known.reader() != reader) {
      known = new Derived(reader, reader.apply(exchange));
      derived = known;
    }
    return (T) known.value();
  }

  private boolean isNamed(int header, CharSequence name) {
    return isNamed(bytes, headers[header], headers[header + 1], name);
  }

  private String value(int header) {
    int from = headers[header + 2];
    return new String(bytes, from, headers[header + 3] - from, StandardCharsets.US_ASCII);
  }

  /**
   * Reads a head.
   *
   * @param endpoints the endpoints by path
   * @return the head, {@link #INCOMPLETE} or {@link #OTHER}
   */
  static PlainHead parse(byte[] source, int from, int to, Map<String, Endpoint> endpoints) {
    return new Parser(source, from, to, endpoints).parse();
  }

  /** Whether a name in the source is this one, which is ASCII; ignores case. */
  private static boolean isNamed(byte[] source, int from, int to, CharSequence name) {
    if (to - from != name.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (lower(source[i]) != lower((byte) name.charAt(i - from))) {
        return false;
      }
    }
    return true;
  }

  private static int lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
  }

  private static boolean[] nameBytes() {
    boolean[] allowed = new boolean[128];
    for (char c = '0'; c <= 'z'; c++) {
      allowed[c] = Character.isLetterOrDigit(c);
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      allowed[c] = true;
    }
    return allowed;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** One pass over the bytes of a head. */
  private static final class Parser {

    private final byte[] source;
    private final int from;
    private final int to;
    private final Map<String, Endpoint> endpoints;
    private int[] headers = new int[4 * 8];
    private int size;
    private int at;
    private int bodyLength = -1;
    private boolean hasHost;

    Parser(byte[] source, int from, int to, Map<String, Endpoint> endpoints) {
      this.source = source;
      this.from = from;
      this.to = to;
      this.endpoints = endpoints;
      this.at = from;
    }

    PlainHead parse() {
      if (!isNext(METHOD)) {
        return isBeginOf(METHOD) ? INCOMPLETE : OTHER;
      }
      at += METHOD.length;
      int path = at;
      while (at < to && source[at] > ' ' && source[at] < 0x7f) {
        at++;
      }
      if (!isNext(VERSION)) {
        return isBeginOf(VERSION) ? incomplete() : OTHER;
      }
      Endpoint endpoint =
          endpoints.get(new String(source, path, at - path, StandardCharsets.US_ASCII));
      if (endpoint == null
          || endpoint.method() == null
          || !endpoint.method().name().equals("POST")) {
        return OTHER;
      }
      at += VERSION.length;
      while (at < to && source[at] != '\r') {
        PlainHead failure = parseHeader();
        if (failure != null) {
          return failure;
        }
      }
      if (to - at < 2) {
        return incomplete();
      }
      at += 2;
      if (source[at - 1] != '\n' || bodyLength < 0 || !hasHost || at - from > MAX_HEAD_BYTES) {
        return OTHER;
      }
      return new PlainHead(
          Arrays.copyOfRange(source, from, at), endpoint, bodyLength, Arrays.copyOf(headers, size));
    }

    /** Reads one line; returns null if it is a header of a plain request. */
    private @Nullable PlainHead parseHeader() {
      int name = at;
      while (at < to && source[at] >= 0 && NAME_BYTES[source[at]]) {
        at++;
      }
      int nameEnd = at;
      if (at == to) {
        return incomplete();
      }
      if (nameEnd == name || source[at] != ':') {
        return OTHER;
      }
      at++;
      while (at < to && isBlank(source[at])) {
        at++;
      }
      int value = at;
      while (at < to && ((source[at] >= ' ' && source[at] < 0x7f) || source[at] == '\t')) {
        at++;
      }
      if (to - at < 2) {
        return at == to || source[at] == '\r' ? incomplete() : OTHER;
      }
      if (source[at] != '\r' || source[at + 1] != '\n') {
        return OTHER;
      }
      int valueEnd = at;
      while (valueEnd > value && isBlank(source[valueEnd - 1])) {
        valueEnd--;
      }
      at += 2;
      add(name, nameEnd, value, valueEnd);
      return isPlain(name, nameEnd, value, valueEnd) ? null : OTHER;
    }

    private void add(int name, int nameEnd, int value, int valueEnd) {
      if (size == headers.length) {
        headers = Arrays.copyOf(headers, 2 * size);
      }
      headers[size++] = name - from;
      headers[size++] = nameEnd - from;
      headers[size++] = value - from;
      headers[size++] = valueEnd - from;
    }

    /** Whether a header leaves the form of the request as it is; notes the length and the host. */
    private boolean isPlain(int name, int nameEnd, int value, int valueEnd) {
      switch (lower(source[name])) {
        case 'c' -> {
          if (isNamed(source, name, nameEnd, "content-length")) {
            boolean first = bodyLength < 0;
            bodyLength = length(value, valueEnd);
            return first && bodyLength >= 0 && bodyLength <= MAX_BODY_BYTES;
          }
          return !isNamed(source, name, nameEnd, "connection")
              || isNamed(source, value, valueEnd, "keep-alive");
        }
        case 'h' -> {
          if (isNamed(source, name, nameEnd, "host")) {
            boolean first = !hasHost;
            hasHost = true;
            return first && valueEnd > value;
          }
          return !isNamed(source, name, nameEnd, "http2-settings");
        }
        case 't' -> {
          return !isNamed(source, name, nameEnd, "transfer-encoding")
              && !isNamed(source, name, nameEnd, "te")
              && !isNamed(source, name, nameEnd, "trailer");
        }
        case 'e' -> {
          return !isNamed(source, name, nameEnd, "expect");
        }
        case 'u' -> {
          return !isNamed(source, name, nameEnd, "upgrade");
        }
        default -> {
          return true;
        }
      }
    }

    /** A number of digits alone; -1 for anything else. */
    private int length(int value, int valueEnd) {
      if (valueEnd == value || valueEnd - value > MAX_LENGTH_DIGITS) {
        return -1;
      }
      int length = 0;
      for (int i = value; i < valueEnd; i++) {
        if (source[i] < '0' || source[i] > '9') {
          return -1;
        }
        length = 10 * length + source[i] - '0';
      }
      return length;
    }

    private PlainHead incomplete() {
      return to - from > MAX_HEAD_BYTES ? OTHER : INCOMPLETE;
    }

    private boolean isNext(byte[] text) {
      return to - at >= text.length
          && Arrays.equals(source, at, at + text.length, text, 0, text.length);
    }

    /** Whether all that is left is a beginning of this text. */
    private boolean isBeginOf(byte[] text) {
      return to - at < text.length && Arrays.equals(source, at, to, text, 0, to - at);
    }

    private static boolean isBlank(byte b) {
      return b == ' ' || b == '\t';
    }
  }
}
