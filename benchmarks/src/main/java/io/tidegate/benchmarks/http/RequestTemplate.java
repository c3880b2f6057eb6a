package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Identifiers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request in bytes, of which only the digits of the identifiers change. A hundred thousand
 * prepared requests would fill the processor caches that the server needs.
 */
final class RequestTemplate {

  private static final String DIGITS = "000000";
  private static final int DIGIT_COUNT = DIGITS.length();

  /** The number of identifiers with {@value #DIGIT_COUNT} digits. */
  static final int MOST_KEYS = 1_000_000;

  private final byte[] bytes;
  private final int[] digits;
  private final int keys;

  /**
   * @param batch limits per request; 1 for a single limit
   * @param keys number of identifiers
   */
  RequestTemplate(int port, String secret, int batch, int keys) {
    if (keys < 1 || keys > MOST_KEYS) {
      throw new IllegalArgumentException("keys must be between 1 and " + MOST_KEYS + ": " + keys);
    }
    this.keys = keys;
    String limit = "{\"namespace\":\"bench\",\"identifier\":\"user_" + DIGITS
        + "\",\"limit\":1000000000,\"duration\":60000}";
    String body = batch == 1 ? limit : "[" + (limit + ",").repeat(batch - 1) + limit + "]";
    String request = "POST /v2/ratelimit." + (batch == 1 ? "limit" : "multiLimit")
        + " HTTP/1.1\r\n"
        + "Host: 127.0.0.1:" + port + "\r\n"
        + "Authorization: Bearer " + secret + "\r\n"
        + "Content-Type: application/json\r\n"
        + "Accept: application/json\r\n"
        + "User-Agent: tidegate-benchmark/1.0\r\n"
        + "Content-Length: " + body.length() + "\r\n\r\n"
        + body;
    this.bytes = request.getBytes(StandardCharsets.US_ASCII);
    List<Integer> found = new ArrayList<>();
    String before = "user_";
    for (int at = request.indexOf(before); at >= 0; at = request.indexOf(before, at + 1)) {
      found.add(at + before.length());
    }
    this.digits = found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Creates the buffer of a connection. */
  ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Writes the request with this number. Successive requests cycle through all keys, scattered. */
  void write(long number, ByteBuffer buffer) {
    buffer.rewind();
    if (keys == 1) {
      return;
    }
    for (int i = 0; i < digits.length; i++) {
      int rank = (int) ((number * digits.length + i) % keys);
      int key = Identifiers.numberOfRank(rank, keys);
      for (int digit = DIGIT_COUNT - 1; digit >= 0; digit--) {
        buffer.put(digits[i] + digit, (byte) ('0' + key % 10));
        key /= 10;
      }
    }
  }
}
