package io.tidegate.benchmarks.rls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.rls.Settings.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames of a call of {@code ShouldRateLimit}, prepared except for the number of the stream and
 * the digits of the key: a hundred thousand prepared calls would fill the processor caches that the
 * server needs.
 */
final class CallFrames {

  static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private static final byte DATA = 0;
  private static final byte HEADERS = 1;
  private static final byte END_STREAM = 1;
  private static final byte END_HEADERS = 4;
  private static final int FRAME_HEADER = 9;

  /** Where a frame has the number of its stream. */
  private static final int STREAM = 5;

  private static final String PREFIX = "user_";
  private static final int DIGITS = 6;

  private final int keys;

  /** The first call on a connection, with headers that the server adds to its table. */
  private final byte[] first;

  /** All others, with headers that refer to that table. */
  private final byte[] later;

  private final int dataLength;

  /** From the digits to the end of the call. */
  private final int digitsFromEnd;

  CallFrames(String authority, Message message, int keys) {
    this.keys = keys;
    DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    byte[] firstHeaders = headers(encoder, authority);
    byte[] laterHeaders = headers(encoder, authority);
    byte[] body = body(message);
    this.first = concat(frame(HEADERS, END_HEADERS, firstHeaders), frame(DATA, END_STREAM, body));
    this.later = concat(frame(HEADERS, END_HEADERS, laterHeaders), frame(DATA, END_STREAM, body));
    this.dataLength = body.length;
    String text = new String(body, StandardCharsets.ISO_8859_1);
    this.digitsFromEnd = body.length - text.indexOf(PREFIX + "0") - PREFIX.length();
  }

  /** The headers that Envoy sends. The timeout is longer than a slow server takes under load. */
  private static byte[] headers(DefaultHttp2HeadersEncoder encoder, String authority) {
    Http2Headers headers = new DefaultHttp2Headers()
        .method("POST")
        .scheme("http")
        .path(PATH)
        .authority(authority)
        .add("te", "trailers")
        .add("content-type", "application/grpc")
        .add("grpc-timeout", "1S");
    ByteBuf block = Unpooled.buffer();
    try {
      encoder.encodeHeaders(1, headers, block);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
    return ByteBufUtil.getBytes(block);
  }

  /** A gRPC message of type RateLimitRequest: a domain and one descriptor. */
  private static byte[] body(Message message) {
    byte[] entry = entry(message.over() ? "limited_user" : "user", PREFIX + "0".repeat(DIGITS));
    byte[] entries = message.entries() == 1
        ? entry
        : concat(concat(entry("tenant", "acme"), entry("path", "/v1/orders")), entry);
    byte[] request = concat(field(1, ascii("bench")), field(2, entries));
    byte[] prefixed = new byte[5 + request.length];
    ByteBuffer.wrap(prefixed).put((byte) 0).putInt(request.length).put(request);
    return prefixed;
  }

  private static byte[] entry(String key, String value) {
    return field(1, concat(field(1, ascii(key)), field(2, ascii(value))));
  }

  /** A field of strings, bytes or a message, with a length of one byte. */
  private static byte[] field(int number, byte[] content) {
    if (content.length > Byte.MAX_VALUE) {
      throw new IllegalArgumentException("too long: " + content.length);
    }
    return concat(new byte[] {(byte) (number << 3 | 2), (byte) content.length}, content);
  }

  private static byte[] frame(byte type, byte flags, byte[] payload) {
    byte[] frame = new byte[FRAME_HEADER + payload.length];
    ByteBuffer.wrap(frame)
        .putInt(payload.length << 8 | type)
        .put(flags)
        .putInt(0)
        .put(payload);
    return frame;
  }

  /** Bytes of the longest call. */
  int maxLength() {
    return first.length;
  }

  /** Bytes that count for flow control. */
  int dataLength() {
    return dataLength;
  }

  /** Writes a call. Successive numbers cycle through all keys, scattered. */
  void write(ByteBuffer out, int stream, long number) {
    int start = out.position();
    out.put(stream == 1 ? first : later);
    out.putInt(start + STREAM, stream);
    out.putInt(out.position() - dataLength - FRAME_HEADER + STREAM, stream);
    int key = Identifiers.numberOfRank((int) (number % keys), keys);
    int digits = out.position() - digitsFromEnd;
    for (int digit = DIGITS - 1; digit >= 0; digit--) {
      out.put(digits + digit, (byte) ('0' + key % 10));
      key /= 10;
    }
  }

  private static byte[] concat(byte[] left, byte[] right) {
    return ByteBuffer.allocate(left.length + right.length).put(left).put(right).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
