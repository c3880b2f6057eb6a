package io.tidegate.server;

import static io.tidegate.server.RlsMessages.descriptor;
import static io.tidegate.server.RlsMessages.hits;
import static io.tidegate.server.RlsMessages.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends broken messages and broken HTTP/2 to the gateway port. {@code -Dtidegate.fuzz} sets their
 * number, {@code -Dtidegate.fuzz.seed} the seed.
 */
@Timeout(300)
class GatewayFuzzTest {

  private static final int MESSAGES = Integer.getInteger("tidegate.fuzz", 3_000);
  private static final int CONNECTIONS = MESSAGES / 10;
  private static final long SEED = Long.getLong("tidegate.fuzz.seed", 20_261_117);

  /** The types of HTTP/2 frames are 0 to 9. */
  private static final int UNKNOWN_TYPE = 12;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;

  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  @TempDir
  private static Path rules;

  private static Node node;

  @BeforeAll
  static void start() throws Exception {
    Files.writeString(
        rules.resolve("edge.yaml"),
        "domain: edge\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 3}}]\n");
    node = Node.start("--gateway-port=0", "--rules=" + rules);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static byte[] validMessage() {
    return request(
            "edge",
            descriptor("user", "a", "other", "b"),
            hits(3, "user", "c"),
            descriptor("user", "d").message(2, Protobuf.message().varint(1, 5).varint(2, 2)))
        .varint(3, 2)
        .toBytes();
  }

  /** Changes, removes or adds some bytes. */
  private static byte[] broken(byte[] valid, Random random) {
    byte[] bytes = valid.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(20));
          for (int j = bytes.length; j < longer.length; j++) {
            longer[j] = (byte) random.nextInt();
          }
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  @Test
  void brokenMessagesGetAStatus() {
    System.out.println("seed " + SEED + ", " + MESSAGES + " messages");
    Random random = new Random(SEED);
    int rejected = 0;
    try (GrpcClient client = new GrpcClient(node.gatewayPort())) {
      for (int i = 0; i < MESSAGES; i++) {
        byte[] message = random.nextInt(5) == 0 ? validMessage() : broken(validMessage(), random);
        byte[] body = random.nextInt(10) == 0 ? message : GrpcClient.frame(message);
        GrpcClient.Answer answer =
            client.post(GrpcClient.SHOULD_RATE_LIMIT, body, "application/grpc");
        assertThat(answer.httpStatus()).isEqualTo(200);
        assertThat(answer.status()).as(Arrays.toString(body)).isIn(0, 2, 3, 12, 13);
        rejected += answer.status() == 0 ? 0 : 1;
      }
      assertThat(rejected).isBetween(MESSAGES / 10, MESSAGES * 9 / 10);
    }
    assertNoErrorAndNoConnection();
  }

  @Test
  void brokenFramesLeaveNoConnection() throws IOException {
    System.out.println("seed " + SEED + ", " + CONNECTIONS + " connections");
    Random random = new Random(SEED);
    for (int i = 0; i < CONNECTIONS; i++) {
      send(conversation(random), random.nextBoolean());
    }
    try (GrpcClient client = new GrpcClient(node.gatewayPort())) {
      assertThat(client.ask(request("edge", descriptor("user", "after"))).status())
          .isZero();
    }
    assertNoErrorAndNoConnection();
  }

  /** Envoy resets the calls that exceed its timeout: after a pause of a node that may be many. */
  @Test
  void resetCallsDoNotEndTheConnection() throws IOException {
    int resets = 5_000;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    for (int i = 0; i < resets; i++) {
      bytes.writeBytes(frame(HEADERS, END_HEADERS, 2 * i + 1, headers()));
      bytes.writeBytes(frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8})); // CANCEL
    }
    int last = 2 * resets + 1;
    bytes.writeBytes(frame(HEADERS, END_HEADERS, last, headers()));
    bytes.writeBytes(frame(DATA, END_STREAM, last, GrpcClient.frame(validMessage())));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.gatewayPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes.toByteArray());
      awaitEnd(new DataInputStream(socket.getInputStream()), last);
    }
    assertNoErrorAndNoConnection();
  }

  /** Clients read the status of an error from the headers, which then must be the last frame. */
  @Test
  void anErrorIsASingleFrame() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    bytes.writeBytes(frame(HEADERS, END_HEADERS, 1, headers()));
    bytes.writeBytes(frame(DATA, END_STREAM, 1, GrpcClient.frame(new byte[0])));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.gatewayPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes.toByteArray());
      assertThat(awaitEnd(new DataInputStream(socket.getInputStream()), 1)).isEqualTo(HEADERS);
    }
  }

  /** Reads until a stream ends; returns the type of its last frame. */
  private static int awaitEnd(DataInputStream in, int wanted) throws IOException {
    int type = 0;
    int flags = 0;
    int stream = 0;
    while (stream != wanted || (flags & END_STREAM) == 0) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      type = in.readUnsignedByte();
      flags = in.readUnsignedByte();
      stream = in.readInt();
      in.skipNBytes(length);
      assertThat(type).isNotEqualTo(GOAWAY);
    }
    return type;
  }

  /** A connection with one call, of which some bytes or frames are broken. */
  private static byte[] conversation(Random random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    addRandomFrames(frames, random);
    frames.writeBytes(frame(HEADERS, END_HEADERS, 1, headers()));
    addRandomFrames(frames, random);
    frames.writeBytes(frame(DATA, END_STREAM, 1, GrpcClient.frame(validMessage())));
    addRandomFrames(frames, random);
    bytes.writeBytes(
        random.nextBoolean() ? broken(frames.toByteArray(), random) : frames.toByteArray());
    return random.nextInt(10) == 0 ? broken(bytes.toByteArray(), random) : bytes.toByteArray();
  }

  private static void addRandomFrames(ByteArrayOutputStream frames, Random random) {
    for (int i = random.nextInt(3); i > 0; i--) {
      byte[] payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 20_000 : 30)];
      random.nextBytes(payload);
      frames.writeBytes(
          frame(random.nextInt(UNKNOWN_TYPE), random.nextInt(256), random.nextInt(4), payload));
    }
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {
      (byte) (payload.length >> 16),
      (byte) (payload.length >> 8),
      (byte) payload.length,
      (byte) type,
      (byte) flags,
      (byte) (stream >> 24),
      (byte) (stream >> 16),
      (byte) (stream >> 8),
      (byte) stream
    });
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  /** The headers of a call: indices of the static table, and plain text. */
  private static byte[] headers() {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(0x83); // :method POST
    headers.write(0x86); // :scheme http
    text(headers, GrpcClient.SHOULD_RATE_LIMIT, 0x04); // :path
    text(headers, "node", 0x01); // :authority
    text(headers, "application/grpc", 0x0f, 0x10); // content-type
    return headers.toByteArray();
  }

  private static void text(ByteArrayOutputStream headers, String value, int... name) {
    for (int b : name) {
      headers.write(b);
    }
    headers.write(value.length());
    headers.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends bytes, reads for a moment what comes, and closes or resets the connection. */
  private static void send(byte[] bytes, boolean reset) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.gatewayPort())) {
      socket.setSoTimeout(5);
      try {
        socket.getOutputStream().write(bytes);
        while (socket.getInputStream().read() >= 0) {
          // whatever it is
        }
      } catch (SocketTimeoutException e) {
        // the node waits for more
      } catch (IOException e) {
        // the node has closed the connection
      }
      if (reset) {
        socket.setSoLinger(true, 0);
      }
    }
  }

  private static void assertNoErrorAndNoConnection() {
    Waiting.untilPassed(
        Duration.ofSeconds(30),
        () -> assertThat(samples("tidegate_http_connections")).containsExactly("0.0"));
    assertThat(metrics().lines().filter(line -> line.matches("tidegate_http_requests.*\"5..\".*")))
        .isEmpty();
  }

  private static List<String> samples(String name) {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1))
        .toList();
  }

  private static String metrics() {
    return Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build()).body();
  }
}
