package io.tidegate.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bytes of an HTTP request, of which only the digits of the keys change: a hundred thousand
 * prepared requests would fill the processor caches that the server needs. All connections of a
 * load share it, and use it from one thread.
 */
public final class PreparedRequest {

  /** The key that the text of a request contains, once or several times. */
  public static final String KEY = "user_000000";

  /** A key with another number of digits is possible, the same for all keys of a text. */
  private static final Pattern KEYS = Pattern.compile("user_(0+)");

  private final ByteBuffer bytes;
  private final LongUnaryOperator keys;
  private final int[] positions;
  private final int digits;

  /**
   * Prepares a request.
   *
   * @param text headers and body, with {@link #KEY} in it
   * @param keys the number of the key for each use of one, which are numbered from 0
   */
  public PreparedRequest(String text, LongUnaryOperator keys) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    this.bytes = ByteBuffer.allocateDirect(encoded.length).put(encoded);
    this.keys = keys;
    // A position is one of a byte, so the text is searched as bytes.
    Matcher found = KEYS.matcher(new String(encoded, StandardCharsets.ISO_8859_1));
    this.positions = found.results().mapToInt(key -> key.start(1)).toArray();
    this.digits = found
        .reset()
        .results()
        .mapToInt(key -> key.end(1) - key.start(1))
        .findFirst()
        .orElse(0);
  }

  /** A request whose successive uses cycle through all keys, scattered. */
  public static PreparedRequest cycling(String text, int keys) {
    return new PreparedRequest(text, use -> Identifiers.numberOfRank((int) (use % keys), keys));
  }

  /** Writes the request with this number. */
  void write(long number, SocketChannel channel) throws IOException {
    for (int i = 0; i < positions.length; i++) {
      long key = keys.applyAsLong(number * positions.length + i);
      for (int digit = digits - 1; digit >= 0; digit--) {
        bytes.put(positions[i] + digit, (byte) ('0' + key % 10));
        key /= 10;
      }
    }
    bytes.rewind();
    do {
      channel.write(bytes); // once, unless the server falls behind
    } while (bytes.hasRemaining());
  }
}
