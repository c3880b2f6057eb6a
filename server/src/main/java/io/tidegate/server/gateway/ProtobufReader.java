package io.tidegate.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads the fields of a protobuf message one after the other. Used by one thread.
 *
 * <pre>{@code
 * while (reader.next()) {
 *   switch (reader.tag()) {
 *     case 1 << 3 | ProtobufReader.LENGTH -> name = reader.string();
 *     default -> reader.skip();
 *   }
 * }
 * }</pre>
 *
 * <p>Callers select fields by number and type together. A known number with another type is thereby
 * an unknown field, which is skipped, as protobuf demands. Methods throw {@link GrpcException} for
 * bytes that are not protobuf.
 */
final class ProtobufReader {

  // The types of fields.
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  private static final int GROUP_START = 3;
  private static final int GROUP_END = 4;
  private static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;

  /** Seven bits each: a number of 64 bits has at most ten bytes. */
  private static final int MAX_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int position;

  /** The end of the current message. */
  private int end;

  private int tag;

  /** Reads a part of an array, which is one message. */
  ProtobufReader(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.position = from;
    this.end = to;
  }

  /** Moves to the next field of the current message; false at its end. */
  boolean next() {
    if (position == end) {
      return false;
    }
    long next = varint();
    if (next >>> TYPE_BITS == 0 || next >>> 32 != 0) {
      throw GrpcException.malformed("invalid field number");
    }
    tag = (int) next;
    return true;
  }

  /** Number and type of the current field: {@code number << 3 | type}. */
  int tag() {
    return tag;
  }

  /** Reads a number. */
  long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (position == end) {
        throw GrpcException.malformed("it ends within a number");
      }
      byte next = bytes[position++];
      value |= (long) (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw GrpcException.malformed("a number is too long");
  }

  /** Reads a number of 32 bits without a sign; longer ones are cut, as protobuf demands. */
  long uint32() {
    return varint() & 0xffff_ffffL;
  }

  /**
   * Reads a text. Bytes that are not UTF-8 become replacement characters: gateways copy header
   * values into messages, and a client must not evade its limit by sending such a value.
   */
  String string() {
    int length = length();
    String text = new String(bytes, position, length, UTF_8);
    position += length;
    return text;
  }

  /**
   * Begins the message that is the value of the current field.
   *
   * @return for {@link #leave}
   */
  int enter() {
    int outerEnd = end;
    int length = length(); // moves the position
    end = position + length;
    return outerEnd;
  }

  /**
   * Ends a message of which {@link #next} has read all fields.
   *
   * @param outerEnd the result of {@link #enter}
   */
  void leave(int outerEnd) {
    end = outerEnd;
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw GrpcException.malformed("it ends within a field");
    }
    return (int) length;
  }

  /** Skips the value of the current field. */
  void skip() {
    int depth = 0; // of groups, an old form of nested messages that have no length
    do {
      switch (tag & ((1 << TYPE_BITS) - 1)) {
        case VARINT -> varint();
        case FIXED64 -> skip(8);
        case LENGTH -> skip(length());
        case FIXED32 -> skip(4);
        case GROUP_START -> depth++;
        case GROUP_END -> depth--;
        default -> throw GrpcException.malformed("unknown type of a field");
      }
      if (depth < 0) {
        throw GrpcException.malformed("a group ends that has not begun");
      }
    } while (depth > 0 && nextInGroup());
  }

  private boolean nextInGroup() {
    if (!next()) {
      throw GrpcException.malformed("it ends within a group");
    }
    return true;
  }

  private void skip(int length) {
    if (length > end - position) {
      throw GrpcException.malformed("it ends within a field");
    }
    position += length;
  }
}
