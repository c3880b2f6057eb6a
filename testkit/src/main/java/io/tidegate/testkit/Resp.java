package io.tidegate.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to a Redis on loopback with a minimal client of its protocol. */
final class Resp implements Closeable {

  private final Socket socket = new Socket();
  private final InputStream in;

  /** The timeout applies to connecting and to each read. */
  Resp(int port, Duration timeout) throws IOException {
    int timeoutMillis = Math.toIntExact(timeout.toMillis());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(timeoutMillis);
    socket.connect(Ports.loopback(port), timeoutMillis); // closes the socket if it fails
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** The parts of the reply as text, arrays flattened; empty if the reply is nil. */
  List<@Nullable String> call(String... command) throws IOException {
    send(command);
    return receive();
  }

  void send(String... command) throws IOException {
    StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
    for (String argument : command) {
      int bytes = argument.getBytes(StandardCharsets.UTF_8).length;
      request.append('$').append(bytes).append("\r\n").append(argument).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
  }

  List<@Nullable String> receive() throws IOException {
    List<@Nullable String> parts = new ArrayList<>();
    String line = readLine();
    if (!line.equals("$-1")) {
      read(line, parts);
    }
    return parts;
  }

  private void read(String line, List<@Nullable String> parts) throws IOException {
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+', ':' -> parts.add(rest);
      case '-' -> throw new IllegalStateException(rest);
      case '$' -> parts.add(rest.equals("-1") ? null : readBulk(Integer.parseInt(rest)));
      case '*' -> {
        for (int i = 0; i < Integer.parseInt(rest); i++) {
          read(readLine(), parts);
        }
      }
      default -> throw new IOException("not a Redis reply: " + line);
    }
  }

  private String readBulk(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    readLine(); // fails if the connection has ended
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended before the reply");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
