package io.tidegate.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A persistent HTTP connection with one request in flight. */
final class Connection implements AutoCloseable {

  /** Larger than the answer to a batch of a hundred limits. */
  private static final int ANSWER_BYTES = 64 << 10;

  private static final byte[] OK = ascii("HTTP/1.1 200 ");
  private static final byte[] END_OF_HEADERS = ascii("\r\n\r\n");
  private static final byte[] LENGTH = ascii("\r\ncontent-length: ");

  private final SocketChannel channel;
  private final RequestTemplate requests;
  private final ByteBuffer request;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER_BYTES);
  private long dueNanos;

  Connection(int port, RequestTemplate requests, Selector selector) throws IOException {
    this.requests = requests;
    this.request = requests.buffer();
    this.channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Sends the request with this number, which was due at this time. */
  void send(long number, long dueNanos) throws IOException {
    this.dueNanos = dueNanos;
    requests.write(number, request);
    do {
      channel.write(request); // one write is enough unless the server falls behind
    } while (request.hasRemaining());
  }

  long dueNanos() {
    return dueNanos;
  }

  /** Reads available bytes; returns whether the answer is complete. */
  boolean receive() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the server closed a connection");
    }
    int headers = find(END_OF_HEADERS);
    if (headers < 0) {
      return false;
    }
    int length = number(find(LENGTH) + LENGTH.length);
    if (answer.position() < headers + END_OF_HEADERS.length + length) {
      return false;
    }
    if (!isAt(OK, 0)) {
      throw new IllegalStateException("the server answered " + text());
    }
    answer.clear();
    return true;
  }

  private int number(int at) {
    int number = 0;
    for (int i = at; answer.get(i) != '\r'; i++) {
      number = 10 * number + answer.get(i) - '0';
    }
    return number;
  }

  private int find(byte[] wanted) {
    for (int i = 0; i <= answer.position() - wanted.length; i++) {
      if (answer.get(i) == wanted[0] && isAt(wanted, i)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether these bytes are at a position; lower-case letters also match upper case. */
  private boolean isAt(byte[] wanted, int at) {
    for (int i = 0; i < wanted.length; i++) {
      byte there = answer.get(at + i);
      if (there != wanted[i] && (wanted[i] < 'a' || (there | ' ') != wanted[i])) {
        return false;
      }
    }
    return true;
  }

  private String text() {
    return StandardCharsets.ISO_8859_1.decode(answer.flip()).toString();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
