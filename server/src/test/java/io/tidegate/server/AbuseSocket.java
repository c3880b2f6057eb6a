package io.tidegate.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A client that sends arbitrary bytes and parses answers strictly. */
final class AbuseSocket implements AutoCloseable {

  /** Far longer than any answer takes. */
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  private AbuseSocket(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  static AbuseSocket connect(Node node) {
    return connect(node.port(), 0);
  }

  /** Connects with a small receive buffer, so that unread answers stay in the server. */
  static AbuseSocket connect(int port, int receiveBytes) {
    try {
      Socket socket = new Socket();
      if (receiveBytes > 0) {
        socket.setReceiveBufferSize(receiveBytes);
      }
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      return new AbuseSocket(socket);
    } catch (IOException e) {
      throw new AssertionError("the server accepts no connections", e);
    }
  }

  /** An answer as bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(int status, Map<String, String> headers, byte[] content) {

    String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** The content, which must be UTF-8. */
    String text() {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(content))
            .toString();
      } catch (CharacterCodingException e) {
        throw new AssertionError(
            "not UTF-8: " + new String(content, StandardCharsets.ISO_8859_1), e);
      }
    }
  }

  /** The bytes of a text, one per character. */
  static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A well-formed request with a body. */
  static byte[] post(String key, String path, byte[] body) {
    byte[] head =
        bytes("POST " + path + " HTTP/1.1\r\nHost: tidegate\r\nAuthorization: Bearer " + key
            + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  AbuseSocket send(String latin) throws IOException {
    return send(bytes(latin));
  }

  AbuseSocket send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Sends as much as the server accepts; returns whether it accepted all bytes. */
  boolean trySend(byte[] bytes) {
    try {
      send(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads the answer to GET or POST. */
  Answer read() throws IOException {
    return read(true);
  }

  /** Reads an answer; one to HEAD has no content. */
  Answer read(boolean hasContent) throws IOException {
    String[] line = line().split(" ", 3);
    if (line.length < 2 || !line[0].matches("HTTP/1\\.[01]")) {
      throw new IOException("no status line: " + String.join(" ", line));
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      String old = headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT),
          header.substring(colon + 1).strip());
      if (old != null) {
        throw new IOException("duplicate header: " + header);
      }
    }
    int status = Integer.parseInt(line[1]);
    String length = headers.get("content-length");
    byte[] content = new byte[0];
    if (hasContent && status >= 200 && length != null) {
      content = in.readNBytes(Integer.parseInt(length));
      if (content.length < Integer.parseInt(length)) {
        throw new EOFException("the answer was cut off");
      }
    }
    return new Answer(status, headers, content);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed after '" + line.toString(StandardCharsets.ISO_8859_1) + "'");
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    if (!text.endsWith("\r")) {
      throw new IOException("a line without CR: " + text);
    }
    return text.substring(0, text.length() - 1);
  }

  /** Reads everything until the server closes the connection; fails if it does not. */
  String readToEnd() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("still open after " + all.toString(StandardCharsets.UTF_8), e);
    } catch (IOException e) {
      all.writeBytes(bytes("<reset>")); // counts as closed
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** Whether the server has sent something or closed the connection. Reads nothing. */
  boolean hasInput(int millis) throws IOException {
    socket.setSoTimeout(millis);
    in.mark(1);
    try {
      in.read();
      in.reset();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(TIMEOUT_MILLIS);
    }
  }

  /** Closes the sending side only. */
  void endSending() throws IOException {
    socket.shutdownOutput();
  }

  /** Resets the connection. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
