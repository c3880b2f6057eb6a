package io.tidegate.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * A persistent HTTP connection with one request in flight. Requests are bytes of which only the
 * digits of the keys change: a hundred thousand prepared requests would fill the processor caches
 * that the server needs.
 */
public final class HttpConnection implements LoadConnection {

  /** The key that the text of a request contains, once or several times. */
  public static final String KEY = "user_000000";

  private static final int DIGITS = 6;
  private static final byte[] OK = ascii("http/1.1 200 ");
  private static final byte[] END_OF_HEADERS = ascii("\r\n\r\n");
  private static final byte[] LENGTH = ascii("content-length: ");

  private final SocketChannel channel;
  private long dueNanos;
  private final int keys;
  private final ByteBuffer request;
  private final int[] digits;

  /** Larger than the answer to a batch of a hundred limits. */
  private final ByteBuffer answer = ByteBuffer.allocateDirect(64 << 10);

  /**
   * Opens a connection to a server on loopback.
   *
   * @param request the text of all requests, with {@link #KEY} in it
   * @param keys number of keys to send
   */
  public HttpConnection(int port, String request, int keys) throws IOException {
    this.keys = keys;
    this.channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    this.request = ByteBuffer.allocateDirect(request.length()).put(ascii(request));
    this.digits = Pattern.compile(KEY)
        .matcher(request)
        .results()
        .mapToInt(key -> key.end() - DIGITS)
        .toArray();
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }

  @Override
  public int capacity() {
    return 1;
  }

  /** Sends the request with this number. Successive requests cycle through all keys, scattered. */
  @Override
  public void send(long number, long dueNanos) throws IOException {
    this.dueNanos = dueNanos;
    for (int i = 0; keys > 1 && i < digits.length; i++) {
      int rank = (int) ((number * digits.length + i) % keys);
      int key = Identifiers.numberOfRank(rank, keys);
      for (int digit = DIGITS - 1; digit >= 0; digit--) {
        request.put(digits[i] + digit, (byte) ('0' + key % 10));
        key /= 10;
      }
    }
    request.rewind();
    do {
      channel.write(request); // once, unless the server falls behind
    } while (request.hasRemaining());
  }

  /** Does nothing: a request is sent at once. */
  @Override
  public void flush() {}

  @Override
  public void receive(LongConsumer answered) throws IOException {
    if (receivedAll()) {
      answered.accept(dueNanos);
    }
  }

  /** Reads available bytes; returns whether the answer is complete. */
  private boolean receivedAll() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the server closed a connection");
    }
    int headers = find(END_OF_HEADERS);
    if (headers < 0) {
      return false;
    }
    int length = 0;
    for (int i = find(LENGTH) + LENGTH.length; answer.get(i) != '\r'; i++) {
      length = 10 * length + answer.get(i) - '0';
    }
    if (answer.position() < headers + END_OF_HEADERS.length + length) {
      return false;
    }
    if (find(OK) != 0) {
      throw new IllegalStateException(
          "the server answered " + StandardCharsets.ISO_8859_1.decode(answer.flip()));
    }
    answer.clear();
    return true;
  }

  /** Finds a text in lower case; servers write names of headers in either case. */
  private int find(byte[] wanted) {
    for (int start = 0; start <= answer.position() - wanted.length; start++) {
      int same = 0;
      while (same < wanted.length && lowerCase(answer.get(start + same)) == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        return start;
      }
    }
    return -1;
  }

  private static byte lowerCase(byte character) {
    return character >= 'A' && character <= 'Z' ? (byte) (character + 'a' - 'A') : character;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
