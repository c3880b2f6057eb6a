package io.tidegate.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Protobuf messages, written and read without the code of the server. */
public final class Protobuf {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** An empty message. */
  public static Protobuf message() {
    return new Protobuf();
  }

  public Protobuf varint(int field, long value) {
    write(field << 3);
    write(value);
    return this;
  }

  public Protobuf text(int field, String value) {
    return bytes(field, value.getBytes(UTF_8));
  }

  public Protobuf message(int field, Protobuf value) {
    return bytes(field, value.toBytes());
  }

  public Protobuf bytes(int field, byte[] value) {
    write(field << 3 | 2);
    write(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /** Adds bytes as they are. */
  public Protobuf raw(int... raw) {
    for (int each : raw) {
      bytes.write(each);
    }
    return this;
  }

  private void write(long value) {
    long left = value;
    while (Long.compareUnsigned(left, 0x7f) > 0) {
      bytes.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    bytes.write((int) left);
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  /**
   * The fields of a message: {@code Long} for numbers, {@code Double} for those of 64 bits,
   * {@code byte[]} for texts and messages.
   */
  public static Map<Integer, List<Object>> parse(byte[] message) {
    Map<Integer, List<Object>> fields = new TreeMap<>();
    ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      long tag = readVarint(buffer);
      Object value = switch ((int) (tag & 7)) {
        case 0 -> readVarint(buffer);
        case 1 -> buffer.getDouble();
        case 2 -> {
          byte[] content = new byte[(int) readVarint(buffer)];
          buffer.get(content);
          yield content;
        }
        default -> throw new AssertionError("unexpected type in " + tag);
      };
      fields.computeIfAbsent((int) (tag >>> 3), field -> new ArrayList<>()).add(value);
    }
    return fields;
  }

  private static long readVarint(ByteBuffer buffer) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = buffer.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
