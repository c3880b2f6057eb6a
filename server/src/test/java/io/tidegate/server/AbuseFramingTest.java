package io.tidegate.server;

import static io.tidegate.server.AbuseEnvelope.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The boundaries of requests, and input that is not a request. */
class AbuseFramingTest {

  private static final String BODY =
      "{\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1000,\"duration\":60000}";
  private static final String CHUNKS =
      Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";
  private static final String LIVENESS = "GET /v2/liveness HTTP/1.1\r\nHost: x\r\n\r\n";

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
    assertThat(node.post("/v2/ratelimit.limit", BODY).statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void stillAnswersOtherClients() {
    assertThat(node.post("/v2/ratelimit.limit", BODY).statusCode()).isEqualTo(200);
  }

  /** The head of a request, with these headers last. */
  private static String head(String headers) {
    return "POST /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + node.key()
        + "\r\n" + headers + "\r\n";
  }

  private static AbuseSocket.Answer answer(String request) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      return socket.send(request).read();
    }
  }

  /** Everything the server sends until it closes the connection; fails if it does not close it. */
  private static String readToEnd(byte[] request) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.trySend(request);
      return socket.readToEnd();
    }
  }

  private static void assertRejected(String request, int status) throws IOException {
    assertThat(readToEnd(AbuseSocket.bytes(request)))
        .matches("(?s)HTTP/1\\.[01] " + status + " .*")
        .doesNotContain("\"data\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "abc",
        "99999999999999999999999",
        "+5",
        "0x10",
        "5, 5",
        "5,6",
        "",
        "5 5",
        "5.0"
      })
  void rejectsAnInvalidContentLength(String length) throws IOException {
    assertRejected(head("Content-Length: " + length + "\r\n") + BODY, 400);
  }

  @Test
  void rejectsTwoContentLengthsEvenIfEqual() throws IOException {
    for (int second = BODY.length(); second <= BODY.length() + 1; second++) {
      assertRejected(
          head("Content-Length: " + BODY.length() + "\r\nContent-Length: " + second + "\r\n")
              + BODY,
          400);
    }
  }

  @Test
  void contentLengthEndsTheBody() throws IOException {
    AbuseSocket.Answer answer =
        answer(head("Content-Length: " + (BODY.length() - 1) + "\r\n") + BODY);
    assertProblem(answer, 400);
  }

  @Test
  void rejectsTheGreatestContentLength() throws IOException {
    assertProblem(answer(head("Content-Length: " + Long.MAX_VALUE + "\r\n") + BODY), 413);
  }

  /** A proxy in front of the server may split these bytes into other requests. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 4\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: \u000bchunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\r\n",
        "X: a\rTransfer-Encoding: chunked\r\n",
        "X: a\u0000b\r\n",
        "no colon\r\n",
        "a name: x\r\n"
      })
  void rejectsAmbiguousFraming(String headers) throws IOException {
    assertRejected(head(headers) + CHUNKS + LIVENESS, 400);
  }

  @Test
  void rejectsLinesThatEndWithoutCarriageReturn() throws IOException {
    assertRejected(head("Content-Length: " + BODY.length() + "\r\n").replace("\r", "") + BODY, 400);
  }

  @Test
  void rejectsChunksInHttp10() throws IOException {
    assertRejected(
        head("Transfer-Encoding: chunked\r\n").replace("HTTP/1.1", "HTTP/1.0") + CHUNKS, 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "zz", "FFFFFFFFFFFFFFFFF", "80000000", "0x10", "", " 5", "+5"})
  void invalidChunkSizeEndsTheConnection(String size) throws IOException {
    String request =
        head("Transfer-Encoding: chunked\r\n") + size + "\r\nhello\r\n0\r\n\r\n" + LIVENESS;
    assertThat(readToEnd(AbuseSocket.bytes(request))).doesNotContain("200 OK");
  }

  @Test
  void chunkLongerThanItsSizeEndsTheConnection() throws IOException {
    String request =
        head("Transfer-Encoding: chunked\r\n") + CHUNKS.replace("}\r\n", "}XX") + LIVENESS;
    assertThat(readToEnd(AbuseSocket.bytes(request))).doesNotContain("200 OK");
  }

  @Test
  void acceptsChunksOfOneByte() throws IOException {
    StringBuilder chunks = new StringBuilder();
    for (int i = 0; i < BODY.length(); i++) {
      chunks.append("1;of=many\r\n").append(BODY.charAt(i)).append("\r\n");
    }
    String trailers = "0\r\nAuthorization: Bearer another\r\nContent-Length: 3\r\n\r\n";
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(head("Transfer-Encoding: chunked\r\n") + chunks + trailers);
      assertThat(socket.read().status()).isEqualTo(200);
      assertThat(socket.send(LIVENESS).read().status()).isEqualTo(200);
    }
  }

  @Test
  void rejectsTooManyHeaders() throws IOException {
    assertRejected(head("X: y\r\n".repeat(100_000)), 431);
    assertRejected(head("X: " + "y".repeat(5_000_000)), 431);
    assertRejected("GET /" + "a".repeat(5_000_000), 414);
    assertThat(answer(head("X: y\r\n".repeat(2_000) + "Content-Length: 0\r\n")).status())
        .isEqualTo(400); // it has no body
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v2/liveness\r\n\r\n",
        "GET /v2/liveness HTTP/0.9\r\n\r\n",
        "GET /v2/liveness HTTP/1.2\r\n\r\n",
        "GET /v2/liveness HTTP/3\r\n\r\n",
        "GET /v2/liveness FOO/1.1\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "P\u00f6ST /v2/liveness HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        "\u0016\3\1\0\u00a5\1\0\0\u00a1\3\3random\r\n\r\n",
        "\0\0\0\0\r\n\r\n"
      })
  void inputThatIsNotHttpEndsTheConnection(String bytes) throws IOException {
    assertThat(readToEnd(AbuseSocket.bytes(bytes))).doesNotContain(" 200 ").doesNotContain(" 500 ");
  }

  @Test
  void randomBytesEndTheConnection() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] noise = new byte[100 + random.nextInt(5_000)];
      random.nextBytes(noise);
      noise[noise.length - 1] = noise[noise.length - 3] = '\n';
      noise[noise.length - 2] = noise[noise.length - 4] = '\r';
      assertThat(readToEnd(noise)).doesNotContain(" 200 ").doesNotContain(" 500 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v2%2Fliveness",
        "/v2/../v2/liveness",
        "//v2/liveness",
        "/v2//liveness",
        "/v2/liveness/",
        "/v2/liveness%00",
        "/v2/live\0ness",
        "/v2/liveness#x",
        "/v2/%6civeness",
        "/V2/liveness",
        "http://x",
        "http://[::1/v2",
        "://",
        "*",
        "?",
        "v2/liveness",
        "/%",
        "/%zz",
        "/%c0%af",
        "/\u00e4",
        "\\v2\\liveness"
      })
  void matchesPathsExactly(String target) throws IOException {
    assertProblem(answer("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"), 404);
  }

  @Test
  void acceptsAnAbsoluteTargetAndAQuery() throws IOException {
    assertThat(answer("GET http://x/v2/liveness?y HTTP/1.1\r\nHost: x\r\n\r\n").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "post", "FOO"})
  void otherMethodsAreAnsweredWithTheAllowedOne(String method) throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      AbuseSocket.Answer answer = socket
          .send(method + " /v2/ratelimit.limit HTTP/1.1\r\nHost: x\r\n\r\n")
          .read();
      assertProblem(answer, 405);
      assertThat(answer.header("allow")).isEqualTo("POST");
      assertThat(socket.send(LIVENESS).read().status()).isEqualTo(200);
    }
  }

  @Test
  void answerToHeadHasNoContent() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send("HEAD /v2/liveness HTTP/1.1\r\nHost: x\r\n\r\n" + LIVENESS);
      assertThat(socket.read(false).status()).isEqualTo(405);
      assertThat(socket.read().status()).isEqualTo(200);
    }
  }

  @Test
  void http10ClientIsAnsweredAndDisconnected() throws IOException {
    assertThat(readToEnd(AbuseSocket.bytes("GET /v2/liveness HTTP/1.0\r\n\r\n")))
        .contains(" 200 OK");
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      String stays = "GET /v2/liveness HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
      assertThat(socket.send(stays).read().status()).isEqualTo(200);
      assertThat(socket.send(stays).read().status()).isEqualTo(200);
    }
  }

  @Test
  void ignoresUpgrades() throws IOException {
    String upgrade =
        "GET /v2/liveness HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n";
    assertThat(answer(upgrade + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n")
            .status())
        .isEqualTo(200);
    assertThat(answer(upgrade + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            .status())
        .isEqualTo(200);
  }

  @Test
  void expectContinueIsAnswered() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(head("Expect: 100-continue\r\nContent-Length: " + BODY.length() + "\r\n"));
      assertThat(socket.read().status()).isEqualTo(100);
      assertThat(socket.send(BODY).read().status()).isEqualTo(200);
    }
  }

  /** The next request would otherwise be read as the body. */
  @Test
  void expectContinueWithABodyThatIsTooLongIsRejectedAndDisconnected() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(head("Expect: 100-continue\r\nContent-Length: 10485761\r\n"));
      AbuseSocket.Answer answer = socket.read();
      assertProblem(answer, 413);
      assertThat(answer.header("connection")).isEqualTo("close");
      assertThat(socket.readToEnd()).isEmpty();
    }
  }

  /** More than 128 in one read once ended the connection, because of web socket support. */
  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    int many = 1_000;
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < many; i++) {
      String body = "[" + BODY.replace("\"a\"", "\"id" + i + "\"") + "]";
      requests
          .append(head("Content-Length: " + body.length() + "\r\n")
              .replace("limit HTTP", "multiLimit HTTP"))
          .append(body);
    }
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      Thread sending = new Thread(() -> socket.trySend(AbuseSocket.bytes(requests.toString())));
      sending.start();
      for (int i = 0; i < many; i++) {
        AbuseSocket.Answer answer = socket.read();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).contains("\"identifier\":\"id" + i + "\"");
      }
    }
  }

  @Test
  void emptyLinesBeforeARequestAreSkipped() throws IOException {
    assertThat(answer("\r\n\r\n\r\n" + LIVENESS).status()).isEqualTo(200);
  }
}
