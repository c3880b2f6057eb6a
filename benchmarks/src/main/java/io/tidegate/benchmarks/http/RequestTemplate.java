package io.tidegate.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests of a load, written beforehand but for the digits of their identifiers: a hundred
 * thousand of them ready to send would fill the caches that the server needs too.
 */
final class HttpRequests {

  private static final String DIGITS = "000000";
  private static final int DIGIT_COUNT = DIGITS.length();

  /** Most identifiers that have different digits. */
  static final int MOST_KEYS = 1_000_000;

  private final byte[] bytes;
  private final int[] digits;
  private final int keys;

  /**
   * @param batch how many limits a request asks for; 1 for a request that is no batch
   * @param keys how many identifiers there are
   */
  HttpRequests(int port, String secret, int batch, int keys) {
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

  /** For one connection to send from. */
  ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Makes a buffer the request with this number. Successive ones have all keys, scattered. */
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
