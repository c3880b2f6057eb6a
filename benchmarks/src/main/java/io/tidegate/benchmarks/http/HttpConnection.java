package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.LoadConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A persistent HTTP connection with one request in flight. Requests are bytes of which only the
 * digits of the identifiers change: a hundred thousand prepared requests would fill the processor
 * caches that the server needs.
 */
final class HttpConnection implements LoadConnection {

  private static final String PREFIX = "user_";
  private static final int DIGITS = 6;
  private static final byte[] OK = ascii("HTTP/1.1 200 ");
  private static final byte[] END_OF_HEADERS = ascii("\r\n\r\n");

  /** Without its first letter, which only some servers write in upper case. */
  private static final byte[] LENGTH = ascii("ontent-length: ");

  /**
   * The requests of a connection.
   *
   * @param batch limits per request
   */
  record Requests(ServerProcess.Address server, int keys, int batch) {}

  private final SocketChannel channel;
  private long dueNanos;
  private final int keys;
  private final ByteBuffer request;
  private final int[] digits;

  /** Larger than the answer to a batch of a hundred limits. */
  private final ByteBuffer answer = ByteBuffer.allocateDirect(64 << 10);

  HttpConnection(Requests requests) throws IOException {
    this.keys = requests.keys;
    int port = requests.server.port();
    channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    String text = request(requests);
    request = ByteBuffer.allocateDirect(text.length()).put(ascii(text));
    digits = Pattern.compile(PREFIX)
        .matcher(text)
        .results()
        .mapToInt(MatchResult::end)
        .toArray();
  }

  private static String request(Requests requests) {
    int batch = requests.batch;
    String limit = "{\"namespace\":\"bench\",\"identifier\":\"" + PREFIX + "0".repeat(DIGITS)
        + "\",\"limit\":1000000000,\"duration\":60000}";
    String body = batch == 1 ? limit : "[" + (limit + ",").repeat(batch - 1) + limit + "]";
    return "POST /v2/ratelimit." + (batch == 1 ? "limit" : "multiLimit")
        + " HTTP/1.1\r\n"
        + "Host: 127.0.0.1:" + requests.server.port() + "\r\n"
        + "Authorization: Bearer " + requests.server.secret() + "\r\n"
        + "Content-Type: application/json\r\n"
        + "Accept: application/json\r\n"
        + "User-Agent: tidegate-benchmark/1.0\r\n"
        + "Content-Length: " + body.length() + "\r\n\r\n"
        + body;
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

  private int find(byte[] wanted) {
    for (int start = 0; start <= answer.position() - wanted.length; start++) {
      int same = 0;
      while (same < wanted.length && answer.get(start + same) == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        return start;
      }
    }
    return -1;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
