package io.tidegate.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Writes a gRPC message: five bytes of prefix, and the fields of a protobuf message. Used by one
 * thread.
 *
 * <pre>{@code
 * writer.varint(1, 2);
 * int limit = writer.begin(2);
 * writer.varint(1, 10);
 * writer.end(limit);
 * }</pre>
 */
final class ProtobufWriter {

  /** A byte of flags and four bytes of length. */
  static final int PREFIX_BYTES = 5;

  /** Longer than an answer with one descriptor. */
  private static final int INITIAL_BYTES = 96;

  private byte[] bytes = new byte[INITIAL_BYTES];
  private int length = PREFIX_BYTES;

  /** Writes a number: 64 bits without a sign. */
  void varint(int field, long value) {
    raw(tag(field, ProtobufReader.VARINT));
    raw(value);
  }

  /** Writes a floating-point number. */
  void fixed64(int field, double value) {
    raw(tag(field, ProtobufReader.FIXED64));
    ensure(Long.BYTES);
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[length++] = (byte) (bits >>> (8 * i));
    }
  }

  /** Writes a text. */
  void string(int field, String text) {
    byte[] encoded = text.getBytes(UTF_8);
    raw(tag(field, ProtobufReader.LENGTH));
    raw(encoded.length);
    ensure(encoded.length);
    System.arraycopy(encoded, 0, bytes, length, encoded.length);
    length += encoded.length;
  }

  /**
   * Begins a nested message.
   *
   * @return for {@link #end}
   */
  int begin(int field) {
    raw(tag(field, ProtobufReader.LENGTH));
    ensure(1);
    return ++length; // leaves a byte for the length
  }

  /** Ends a nested message. */
  void end(int begin) {
    int content = length - begin;
    if (content >= 0x80) { // the length takes more than the byte that was left for it
      int more = varintBytes(content) - 1;
      ensure(more);
      System.arraycopy(bytes, begin, bytes, begin + more, content);
      length += more;
    }
    int position = begin - 1;
    for (int left = content; ; left >>>= 7) {
      if (left < 0x80) {
        bytes[position] = (byte) left;
        return;
      }
      bytes[position++] = (byte) (left | 0x80);
    }
  }

  private static int varintBytes(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7;
  }

  private static int tag(int field, int type) {
    return field << 3 | type;
  }

  private void raw(long value) {
    ensure(Long.BYTES + 2);
    long left = value;
    while ((left & ~0x7fL) != 0) {
      bytes[length++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[length++] = (byte) left;
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** The prefix and the message; nothing may be written any more. */
  Buffer toBuffer() {
    int content = length - PREFIX_BYTES;
    bytes[1] = (byte) (content >>> 24);
    bytes[2] = (byte) (content >>> 16);
    bytes[3] = (byte) (content >>> 8);
    bytes[4] = (byte) content;
    return Buffer.buffer(length).appendBytes(bytes, 0, length);
  }
}
