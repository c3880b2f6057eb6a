package io.tidegate.server;

import static io.tidegate.server.AbuseEnvelope.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are too long, too deep or full of errors. */
class AbuseBodiesTest {

  private static final int MAX_BYTES = 10_485_760;
  private static final String BODY =
      "{\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1000,\"duration\":60000}";

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start("--test-clock");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** A valid body of this length. */
  private static byte[] body(int bytes) {
    byte[] body = Arrays.copyOf(AbuseSocket.bytes(BODY), bytes);
    Arrays.fill(body, BODY.length(), bytes, (byte) ' ');
    return body;
  }

  private static AbuseSocket.Answer post(byte[] body) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(AbuseSocket.post(node.key(), "/v2/ratelimit.limit", body));
      return socket.read();
    }
  }

  private static AbuseSocket.Answer post(String body) throws IOException {
    return post(AbuseSocket.bytes(body));
  }

  private static AbuseSocket.Answer postInChunks(byte[] body, int chunkBytes) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send("POST /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
          + node.key() + "\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int from = 0; from < body.length; from += chunkBytes) {
        int to = Math.min(body.length, from + chunkBytes);
        socket.send(Integer.toHexString(to - from) + "\r\n");
        socket.send(Arrays.copyOfRange(body, from, to));
        socket.send("\r\n");
      }
      return socket.send("0\r\n\r\n").read();
    }
  }

  @Test
  void acceptsTheLongestBodyAndRejectsALongerOne() throws IOException {
    assertThat(post(body(MAX_BYTES - 1)).status()).isEqualTo(200);
    assertThat(post(body(MAX_BYTES)).status()).isEqualTo(200);
    assertProblem(post(body(MAX_BYTES + 1)), 413);
  }

  @Test
  void addsUpTheLengthOfChunks() throws IOException {
    assertThat(postInChunks(body(MAX_BYTES), 1 << 20).status()).isEqualTo(200);
    assertProblem(postInChunks(body(MAX_BYTES + 1), 1 << 20), 413);
    assertThat(postInChunks(body(MAX_BYTES - 1), 99_991).status()).isEqualTo(200);
  }

  /** Most clients read the answer only after they have sent the whole body. */
  @ParameterizedTest
  @ValueSource(ints = {11 << 20, 15 << 20})
  void bodyThatIsTooLongIsAnsweredAndTheConnectionStaysOpen(int bytes) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(AbuseSocket.post(node.key(), "/v2/ratelimit.limit", new byte[bytes]));
      assertProblem(socket.read(), 413);
      socket.send(AbuseSocket.post(node.key(), "/v2/ratelimit.limit", body(100)));
      assertThat(socket.read().status()).isEqualTo(200);
    }
  }

  @Test
  void endlessBodyIsCutOff() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(
          "POST /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      byte[] chunk = AbuseSocket.bytes("100000\r\n" + "x".repeat(1 << 20) + "\r\n");
      int sent = 0;
      while (socket.trySend(chunk)) {
        assertThat(++sent).as("MB sent").isLessThan(100);
      }
      assertThat(sent).isGreaterThan(MAX_BYTES >> 20);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[{\"namespace\":", "[[],"})
  void rejectsDeepBodies(String level) throws IOException {
    for (int depth : List.of(30, 33, 1_000, 100_000, 500_000)) {
      Map<?, ?> error = assertProblem(post(level.repeat(depth)), 400);
      assertThat((List<?>) error.get("errors")).isNotEmpty();
    }
  }

  /** The parser reports these without a location, which was once answered with 500. */
  @Test
  void tokensTooLongForTheParserAreInputErrors() throws IOException {
    for (String body : List.of(
        "{\"" + "n".repeat(60_000) + "\":1}",
        "{\"" + "n".repeat(5_000_000) + "\":1}",
        "{\"limit\":1" + "0".repeat(1_100) + "}",
        "{\"limit\":1" + "0".repeat(5_000_000) + "}",
        "{\"limit\":1." + "0".repeat(5_000_000) + "}",
        "{\"limit\":1e" + "9".repeat(5_000_000) + "}",
        "{\"limit\":-" + "9".repeat(5_000_000),
        "{\"namespace\":\"" + "n".repeat(9_000_000) + "\"}",
        "\"" + "n".repeat(9_000_000))) {
      Map<?, ?> error = assertProblem(post(body), 400);
      assertThat((List<?>) error.get("errors")).isNotEmpty();
      assertThat(error.toString()).hasSizeLessThan(2_000);
    }
  }

  @Test
  void invalidNameIsShownAsValidText() throws IOException {
    for (String name : List.of("\\ud800", "\\udc00", "\\ud800x", "\\udc00\\ud800", "\\u0000")) {
      assertProblem(post("{\"" + name + "\":1}"), 400);
      assertProblem(post("{\"" + "x".repeat(31) + name + name + name + "\":1}"), 400);
    }
  }

  /** This once blocked the event loop for eight seconds, and needs no key. */
  @ParameterizedTest
  @ValueSource(strings = {"{%s}", "{\"x\":{%s}}", "[[{%s}]]", "[{},{%s}]", "{\"limit\":{%s}}"})
  void stopsReadingUnknownNames(String form) throws IOException {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < 900_000; i++) {
      names.append('"').append(Integer.toString(i, 36)).append("\":1,");
    }
    byte[] body = AbuseSocket.bytes(form.formatted(names.append("\"x\":1")));
    for (String path : List.of("/v2/ratelimit.limit", "/v2/ratelimit.multiLimit")) {
      try (AbuseSocket socket = AbuseSocket.connect(node)) {
        Map<?, ?> error =
            assertProblem(socket.send(AbuseSocket.post("", path, body)).read(), 400);
        assertThat((List<?>) error.get("errors")).hasSizeBetween(1, 21);
      }
    }
  }

  @Test
  void reportsTheSizeOfALongArray() throws IOException {
    HttpResponse<String> answer =
        node.post("/v2/ratelimit.multiLimit", "[" + (BODY + ",").repeat(101) + BODY + "]");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(AbuseEnvelope.error(answer.body()).toString())
        .contains("must have 1 to 100 entries, it has 102");
  }

  @Test
  void stopsReadingAnEndlessArray() throws IOException {
    HttpResponse<String> answer =
        node.post("/v2/ratelimit.multiLimit", "[" + "{},".repeat(3_000_000) + "{}]");
    assertThat(answer.statusCode()).isEqualTo(400);
    AbuseEnvelope.error(answer.body());
  }

  @Test
  void contentTypeIsCaseInsensitive() {
    String[] authorized = {"Authorization", "Bearer " + node.key()};
    assertThat(Node.send(java.net.http.HttpRequest.newBuilder(node.uri("/v2/ratelimit.limit"))
                .header("Content-Type", "Application/JSON; charset=UTF-8")
                .headers(authorized)
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(BODY))
                .build())
            .statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "1.5", "1e3", "9223372036854775808", "1000000000000001", "-"})
  void rejectsAnInvalidTestTime(String time) {
    for (String path : List.of("limit", "multiLimit")) {
      HttpResponse<String> answer = node.post(
          "/v2/ratelimit." + path,
          path.equals("limit") ? BODY : "[" + BODY + "]",
          "Authorization",
          "Bearer " + node.key(),
          "X-Test-Time",
          time);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      AbuseEnvelope.error(answer.body());
    }
  }
}
