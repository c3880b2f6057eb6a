package io.tidegate.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The answer that arrives on a connection with one request in flight. */
final class HttpAnswer {

  private static final byte[] VERSION = ascii("http/1.1 ");
  private static final byte[] END_OF_HEADERS = ascii("\r\n\r\n");
  private static final byte[] LENGTH = ascii("\r\ncontent-length:");
  private static final byte[] CHUNKED = ascii("\r\ntransfer-encoding: chunked\r\n");
  private static final byte[] LAST_CHUNK = ascii("\r\n0\r\n\r\n");

  private final ByteBuffer bytes;

  HttpAnswer(int maxBytes) {
    this.bytes = ByteBuffer.allocateDirect(maxBytes);
  }

  /**
   * Reads available bytes; returns whether the answer is complete.
   *
   * @throws EOFException if the server closed the connection
   */
  boolean receive(SocketChannel channel) throws IOException {
    if (channel.read(bytes) < 0) {
      throw new EOFException("the server closed a connection");
    }
    boolean complete = isComplete();
    if (!complete && !bytes.hasRemaining()) {
      throw new IOException("an answer is longer than " + bytes.capacity() + " bytes");
    }
    return complete;
  }

  private boolean isComplete() throws IOException {
    int end = find(END_OF_HEADERS, 0, bytes.position());
    if (end < 0) {
      return false;
    }
    if (find(VERSION, 0, VERSION.length) != 0) {
      throw new IOException("the server does not answer in HTTP/1.1: " + text());
    }
    int headers = end + END_OF_HEADERS.length;
    int length = find(LENGTH, 0, headers);
    if (length >= 0) {
      return bytes.position() >= headers + number(length + LENGTH.length);
    }
    if (find(CHUNKED, 0, headers) >= 0) {
      int last = bytes.position() - LAST_CHUNK.length;
      return last >= end && find(LAST_CHUNK, last, bytes.position()) == last;
    }
    if (status() == 204) {
      return true;
    }
    throw new IOException("an answer has neither a length nor chunks: " + text());
  }

  /** The number after optional spaces, up to the end of the line. */
  private int number(int start) {
    int number = 0;
    for (int i = start; bytes.get(i) != '\r'; i++) {
      number = bytes.get(i) == ' ' ? number : 10 * number + bytes.get(i) - '0';
    }
    return number;
  }

  /** The status of a complete answer. */
  int status() {
    int status = 0;
    for (int i = 0; i < 3; i++) {
      status = 10 * status + bytes.get(VERSION.length + i) - '0';
    }
    return status;
  }

  boolean contains(byte[] lowerCase) {
    return find(lowerCase, 0, bytes.position()) >= 0;
  }

  String text() {
    return StandardCharsets.UTF_8.decode(bytes.duplicate().flip()).toString();
  }

  /** Makes room for the next answer. */
  void clear() {
    bytes.clear();
  }

  /** Finds a text in lower case; servers write names of headers in either case. */
  private int find(byte[] wanted, int from, int to) {
    for (int start = from; start <= to - wanted.length; start++) {
      int same = 0;
      while (same < wanted.length && lowerCase(bytes.get(start + same)) == wanted[same]) {
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

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
