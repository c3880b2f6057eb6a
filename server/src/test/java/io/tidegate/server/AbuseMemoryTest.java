package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with little memory, and clients that send more than fits. */
@Timeout(60)
class AbuseMemoryTest {

  private static final String HEAP = "-Xmx128m";

  private static final int HEAP_BYTES = 128 << 20;
  private static final int BODY_BYTES = 9 << 20;

  /** All bodies together have nearly twice the size of the heap. */
  private static final int BODIES = 25;

  private static final String LIVENESS = "GET /v2/liveness HTTP/1.1\r\nHost: x\r\n\r\n";

  @TempDir
  private static Path directory;

  private static Process server;
  private static int port;
  private static String key;
  private final List<AbuseSocket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    server = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            HEAP,
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            AbuseServerProcess.class.getName())
        .redirectError(directory.resolve("log").toFile())
        .start();
    BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    assertThat(line).as("log: %s", Files.readString(directory.resolve("log"))).isNotNull();
    String[] portAndKey = line.split(" ", 2);
    port = Integer.parseInt(portAndKey[0]);
    key = portAndKey[1];
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    server.getOutputStream().close();
    if (!server.waitFor(20, TimeUnit.SECONDS)) {
      server.destroyForcibly();
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    for (AbuseSocket socket : sockets) {
      socket.close();
    }
  }

  private static void assertOthersAreAnswered() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(port, 0)) {
      assertThat(socket.send(LIVENESS).read().status()).isEqualTo(200);
    }
  }

  private AbuseSocket connect() {
    AbuseSocket socket = AbuseSocket.connect(port, 0);
    sockets.add(socket);
    return socket;
  }

  @Test
  void unfinishedBodiesUseABoundedPartOfTheHeap() throws IOException {
    byte[] almostAll = new byte[BODY_BYTES];
    for (int i = 0; i < BODIES; i++) {
      AbuseSocket socket = connect();
      socket.send("POST /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\nContent-Length: "
          + (BODY_BYTES + 1) + "\r\n\r\n");
      socket.send(almostAll);
      assertOthersAreAnswered();
    }
    assertThat(sockets.stream().filter(AbuseMemoryTest::wasRejected).count())
        .isGreaterThanOrEqualTo(BODIES - HEAP_BYTES / 8 / BODY_BYTES);
    disconnect();
    assertMemoryIsReleased();
    assertThat(server.isAlive()).isTrue();
  }

  private static boolean wasRejected(AbuseSocket socket) {
    try {
      return socket.hasInput(1_000) && socket.read().status() == 413;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertMemoryIsReleased() throws IOException {
    byte[] body = new byte[BODY_BYTES];
    int status = 0;
    for (int i = 0; i < 1_000 && status != 400; i++) { // connections close one by one
      try (AbuseSocket socket = AbuseSocket.connect(port, 0)) {
        status = socket
            .send(AbuseSocket.post(key, "/v2/ratelimit.limit", body))
            .read()
            .status();
      }
    }
    assertThat(status).as("status after the memory is released").isEqualTo(400);
  }
}
