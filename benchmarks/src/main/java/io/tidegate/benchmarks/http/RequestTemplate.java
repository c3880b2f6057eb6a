package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Identifiers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A request in bytes, of which only the digits of the identifiers change. A hundred thousand
 * prepared requests would fill the processor caches that the server needs.
 */
final class RequestTemplate {

  private static final String PREFIX = "user_";
  private static final int DIGITS = 6;

  private final byte[] bytes;
  private final int[] digits;
  private final int keys;

  /**
   * @param batch limits per request; 1 for a single limit
   * @param keys number of identifiers, a million at most
   */
  RequestTemplate(ServerProcess.Address server, int batch, int keys) {
    this.keys = keys;
    String limit = "{\"namespace\":\"bench\",\"identifier\":\"" + PREFIX + "0".repeat(DIGITS)
        + "\",\"limit\":1000000000,\"duration\":60000}";
    String body = batch == 1 ? limit : "[" + (limit + ",").repeat(batch - 1) + limit + "]";
    String request = "POST /v2/ratelimit." + (batch == 1 ? "limit" : "multiLimit")
        + " HTTP/1.1\r\n"
        + "Host: 127.0.0.1:" + server.port() + "\r\n"
        + "Authorization: Bearer " + server.secret() + "\r\n"
        + "Content-Type: application/json\r\n"
        + "Accept: application/json\r\n"
        + "User-Agent: tidegate-benchmark/1.0\r\n"
        + "Content-Length: " + body.length() + "\r\n\r\n"
        + body;
    this.bytes = request.getBytes(StandardCharsets.US_ASCII);
    this.digits = Pattern.compile(PREFIX)
        .matcher(request)
        .results()
        .mapToInt(MatchResult::end)
        .toArray();
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
      for (int digit = DIGITS - 1; digit >= 0; digit--) {
        buffer.put(digits[i] + digit, (byte) ('0' + key % 10));
        key /= 10;
      }
    }
  }
}
