package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 connections are announced as closing (GOAWAY) before the node closes them. */
@Timeout(120)
class Http2CloseTest {

  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;

  /** Flags of HEADERS and DATA. */
  private static final int END_STREAM = 1;

  private static final int END_HEADERS = 4;

  @TempDir
  private Path directory;

  private TestCertificate certificate;

  /** What the node sends, frame by frame. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Frame(int type, int flags, int stream, byte[] payload) {

    boolean endsStream() {
      return stream > 0 && type <= HEADERS && (flags & END_STREAM) != 0;
    }

    /** Of a GOAWAY: 0 for no error. */
    int error() {
      return payload[4] << 24 | payload[5] << 16 | payload[6] << 8 | payload[7];
    }
  }

  @BeforeEach
  void makeCertificate() throws Exception {
    certificate = TestCertificate.create(directory, "node");
    certificate.write(directory.resolve("node.crt"), directory.resolve("node.key"));
  }

  private NodeProcess start(String flag) {
    return NodeProcess.start(
        "--data=" + directory.resolve("data"),
        "--tls-certificate=" + directory.resolve("node.crt"),
        "--tls-key=" + directory.resolve("node.key"),
        flag);
  }

  /** A connection on which the preface and empty settings were sent. */
  private SSLSocket connect(NodeProcess node) throws Exception {
    SSLSocket socket = (SSLSocket) TestCertificate.trust(certificate)
        .getSocketFactory()
        .createSocket("127.0.0.1", node.uri("/").getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout((int) NodeProcess.LONG.toMillis());
    socket.startHandshake();
    assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
    ByteArrayOutputStream preface = new ByteArrayOutputStream();
    preface.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    preface.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    socket.getOutputStream().write(preface.toByteArray());
    return socket;
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {
      0,
      (byte) (payload.length >> 8),
      (byte) payload.length,
      (byte) type,
      (byte) flags,
      0,
      0,
      0,
      (byte) stream
    });
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  /** GET /v2/liveness, whose headers are indices of the static table and plain text. */
  private static void ask(SSLSocket socket, int stream) throws IOException {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(0x82); // :method GET
    headers.write(0x87); // :scheme https
    text(headers, 0x04, "/v2/liveness"); // :path
    text(headers, 0x01, "node"); // :authority
    socket
        .getOutputStream()
        .write(frame(HEADERS, END_STREAM | END_HEADERS, stream, headers.toByteArray()));
  }

  private static void text(ByteArrayOutputStream headers, int name, String value) {
    headers.write(name);
    headers.write(value.length());
    headers.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private static Frame read(DataInputStream in) throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Frame(type, flags, stream, payload);
  }

  /** Reads until the answer to a stream is complete. */
  private static void awaitAnswer(DataInputStream in, int stream) throws IOException {
    Frame frame = read(in);
    while (!frame.endsStream() || frame.stream != stream) {
      assertThat(frame.type).isNotEqualTo(GOAWAY);
      frame = read(in);
    }
  }

  private static List<Frame> readAll(DataInputStream in) throws IOException {
    List<Frame> frames = new ArrayList<>();
    try {
      while (true) {
        frames.add(read(in));
      }
    } catch (EOFException e) {
      return frames;
    }
  }

  @Test
  void anIdleConnectionIsAnnouncedAsClosing() throws Exception {
    try (NodeProcess node = start("--idle-timeout=1s");
        SSLSocket socket = connect(node)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      ask(socket, 1);
      awaitAnswer(in, 1);
      assertThat(readAll(in))
          .filteredOn(frame -> frame.type == GOAWAY)
          .hasSizeGreaterThan(0)
          .allMatch(frame -> frame.error() == 0);
    }
  }

  @Test
  void anAnswerOfANodeThatStopsIsFollowedByTheAnnouncement() throws Exception {
    try (NodeProcess node = start("--stop-delay=5m");
        SSLSocket socket = connect(node)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      ask(socket, 1);
      awaitAnswer(in, 1);
      node.terminate();
      node.await("stopping", () -> node.status().equals("stopping"));
      ask(socket, 3);
      awaitAnswer(in, 3);
      Frame next = read(in);
      while (next.type == SETTINGS) {
        next = read(in);
      }
      assertThat(next.type).isEqualTo(GOAWAY);
      assertThat(next.error()).isZero();
      ask(socket, 5); // sent before the announcement was read, for example
      awaitAnswer(in, 5);
    }
  }
}
