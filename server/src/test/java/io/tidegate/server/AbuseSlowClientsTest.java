package io.tidegate.server;

import static io.tidegate.server.AbuseEnvelope.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are slow, idle, do not read, or disconnect during a request. */
@Timeout(60)
class AbuseSlowClientsTest {

  private static final int MAX_CONNECTIONS = 20;
  private static final String BODY =
      "{\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1000,\"duration\":60000}";
  private static final String LIVENESS = "GET /v2/liveness HTTP/1.1\r\nHost: x\r\n\r\n";

  private static Node node;

  private final List<AbuseSocket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() {
    node = Node.start(
        "--request-timeout=1s", "--idle-timeout=1s", "--max-connections=" + MAX_CONNECTIONS);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private AbuseSocket connect() {
    AbuseSocket socket = AbuseSocket.connect(node);
    sockets.add(socket);
    return socket;
  }

  /** Waits until the server has closed all connections, since the next test counts them. */
  @AfterEach
  void disconnect() throws IOException {
    for (AbuseSocket socket : sockets) {
      socket.close();
    }
    await("no connections", () -> metric("tidegate_http_connections") == 0);
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      assertThat(socket.send(LIVENESS).read().status()).isEqualTo(200);
    }
    await("no connections again", () -> metric("tidegate_http_connections") == 0);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static double metric(String name) {
    return Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build())
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static double cutOff(String reason) {
    return metric("tidegate_http_cut_off_total{reason=\"" + reason + "\"}");
  }

  private static String head(int length) {
    return "POST /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + node.key()
        + "\r\nContent-Length: " + length + "\r\n\r\n";
  }

  /** Sends byte by byte on each connection until the server answers or closes it. */
  private static void trickle(Map<AbuseSocket, String> texts) throws IOException {
    List<AbuseSocket> silent = new ArrayList<>(texts.keySet());
    for (int i = 0; !silent.isEmpty(); i++) {
      for (AbuseSocket socket : List.copyOf(silent)) {
        assertThat(i).as("bytes sent").isLessThan(texts.get(socket).length());
        if (socket.hasInput(20)) {
          silent.remove(socket);
        } else {
          socket.trySend(AbuseSocket.bytes(texts.get(socket).substring(i, i + 1)));
        }
      }
    }
  }

  @Test
  void requestsSentByteByByteAreCutOff() throws IOException {
    String headers = "GET /v2/liveness HTTP/1.1\r\n" + "X: y\r\n".repeat(100);
    AbuseSocket first = connect();
    AbuseSocket second = connect();
    assertThat(second.send(LIVENESS).read().status()).isEqualTo(200);
    AbuseSocket lines = connect();
    AbuseSocket body = connect();
    body.send(head(1_000));
    trickle(Map.of(
        first, headers, second, headers, lines, "\r\n".repeat(400), body, " ".repeat(1_000)));
    for (AbuseSocket slow : List.of(first, second, lines)) {
      assertThat(slow.readToEnd()).isIn("", "<reset>");
    }
    AbuseSocket.Answer answer = body.read();
    assertProblem(answer, 408);
    assertThat(answer.header("connection")).isEqualTo("close");
    assertThat(body.readToEnd()).isIn("", "<reset>");
  }

  @Test
  void unfinishedBodyIsCutOff() throws IOException {
    AbuseSocket socket = connect();
    assertProblem(socket.send(head(1_000) + BODY).read(), 408);
    assertThat(socket.readToEnd()).isEmpty();
  }

  /** Once, a connection whose next request had arrived in part was closed as idle. */
  @Test
  void requestThatBeginsBeforeTheIdleTimeoutIsNotIdle() throws IOException {
    for (int i = 0; i < 10; i++) {
      assertThat(connect().send(head(BODY.length()) + BODY).read().status()).isEqualTo(200);
    }
    for (AbuseSocket socket : sockets) { // at all phases of the sweep, which runs once a second
      socket.send(head(1_000) + BODY);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(80));
    }
    for (AbuseSocket socket : sockets) {
      assertProblem(socket.read(), 408);
    }
  }

  @Test
  void idleConnectionIsClosed() throws IOException {
    AbuseSocket fresh = connect();
    AbuseSocket used = connect();
    assertThat(used.send(LIVENESS).read().status()).isEqualTo(200);
    assertThat(used.readToEnd()).isEmpty();
    assertThat(fresh.readToEnd()).isEmpty();
  }

  /**
   * Once, requests that arrived while the connection was closing were still answered, into
   * unbounded memory, and the connection was never closed.
   */
  @Test
  void clientThatDoesNotReadIsCutOff() {
    AbuseSocket socket = AbuseSocket.connect(node.port(), 4_096);
    sockets.add(socket);
    byte[] requests = AbuseSocket.bytes(LIVENESS.repeat(10_000));
    int sent = 0;
    while (socket.trySend(requests)) {
      assertThat(sent += 10_000).as("requests sent").isLessThan(2_000_000);
    }
    await("no connections", () -> metric("tidegate_http_connections") == 0);
  }

  @Test
  void connectionsBeyondTheMaximumAreClosedAndOthersStay() throws IOException {
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
      assertThat(connect().send(LIVENESS).read().status()).isEqualTo(200);
    }
    List<AbuseSocket> allowed = List.copyOf(sockets);
    for (int i = 0; i < 5; i++) {
      for (AbuseSocket socket : allowed) { // or a slow machine would let it become idle
        assertThat(socket.send(LIVENESS).read().status()).isEqualTo(200);
      }
      AbuseSocket oneTooMany = connect();
      oneTooMany.trySend(AbuseSocket.bytes(LIVENESS));
      assertThat(oneTooMany.readToEnd()).isIn("", "<reset>");
    }
    assertThat(sockets.get(0).send(LIVENESS).read().status()).isEqualTo(200);
    sockets.get(1).close();
    await("a closed connection", () -> metric("tidegate_http_connections") < MAX_CONNECTIONS);
    assertThat(connect().send(LIVENESS).read().status()).isEqualTo(200);
  }

  @Test
  void halfClosedConnectionIsStillAnswered() throws IOException {
    AbuseSocket socket = connect();
    socket.send(head(BODY.length()) + BODY).read(); // creates the namespace
    socket.send(head(BODY.length()) + BODY);
    socket.endSending();
    assertThat(socket.readToEnd()).startsWith("HTTP/1.1 200 OK").contains("\"success\":true");
  }

  @Test
  void disconnectDuringABodyReleasesTheConnection() throws IOException {
    double before = cutOff("client_closed");
    for (int i = 0; i < 5; i++) {
      connect().send(head(1_000_000) + " ".repeat(500_000)).reset();
      connect().send(head(1_000_000) + " ".repeat(500_000)).close();
      connect().send(head(1_000_000) + " ".repeat(500_000)).endSending();
    }
    await("no connections", () -> metric("tidegate_http_connections") == 0);
    assertThat(cutOff("client_closed")).isGreaterThan(before);
  }

  @Test
  void disconnectBeforeTheAnswerDoesNotAffectOthers() throws IOException {
    for (int i = 0; i < 20; i++) {
      String body =
          BODY.replace("\"n\"", "\"new" + i + "\""); // waits for the creation of a namespace
      connect().send(head(body.length()) + body).reset();
    }
    await("room", () -> metric("tidegate_http_connections") < MAX_CONNECTIONS);
    assertThat(connect().send(head(BODY.length()) + BODY).read().status()).isEqualTo(200);
  }
}
