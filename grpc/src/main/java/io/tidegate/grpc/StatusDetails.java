package io.tidegate.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * Writes a {@code google.rpc.Status} with a {@code google.rpc.RetryInfo}, as it is sent in
 * {@code grpc-status-details-bin}. By hand, because applications have different versions of the
 * protobuf library, or none.
 *
 * <pre>
 * Status    { int32 code = 1; string message = 2; repeated Any details = 3; }
 * Any       { string type_url = 1; bytes value = 2; }
 * RetryInfo { Duration retry_delay = 1; }
 * Duration  { int64 seconds = 1; int32 nanos = 2; }
 * </pre>
 */
final class StatusDetails {

  private static final byte[] RETRY_INFO =
      "type.googleapis.com/google.rpc.RetryInfo".getBytes(UTF_8);

  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private StatusDetails() {}

  static byte[] withRetryInfo(int code, String message, long retryMillis) {
    byte[] delay = new StatusDetails()
        .number(1, retryMillis / MILLIS_PER_SECOND)
        .number(2, retryMillis % MILLIS_PER_SECOND * NANOS_PER_MILLI)
        .toBytes();
    byte[] retryInfo = new StatusDetails().bytes(1, delay).toBytes();
    byte[] any = new StatusDetails().bytes(1, RETRY_INFO).bytes(2, retryInfo).toBytes();
    return new StatusDetails()
        .number(1, code)
        .bytes(2, message.getBytes(UTF_8))
        .bytes(3, any)
        .toBytes();
  }

  private StatusDetails number(int field, long value) {
    varint(field << 3 | VARINT);
    varint(value);
    return this;
  }

  private StatusDetails bytes(int field, byte[] value) {
    varint(field << 3 | LENGTH_DELIMITED);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  private byte[] toBytes() {
    return bytes.toByteArray();
  }
}
