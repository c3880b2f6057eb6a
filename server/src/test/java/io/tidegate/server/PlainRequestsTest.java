package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast path for plain requests answers as Vert.x does. */
class PlainRequestsTest {

  /** Makes Vert.x read the request, and changes nothing else. */
  private static final String NOT_PLAIN = "TE: trailers\r\n";

  private static final String LIVENESS = "GET /v2/liveness HTTP/1.1\r\nHost: x\r\n\r\n";

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String body(String identifier) {
    return "{\"namespace\":\"n\",\"identifier\":\"" + identifier
        + "\",\"limit\":1000,\"duration\":2592000000}";
  }

  private static String request(String route, String headers, String body) {
    return "POST /v2/ratelimit." + route + " HTTP/1.1\r\nHost: x\r\n" + headers
        + "Content-Length: " + body.getBytes(StandardCharsets.ISO_8859_1).length + "\r\n\r\n"
        + body;
  }

  private static String authorized(String headers) {
    return "Authorization: Bearer " + node.key() + "\r\n" + headers;
  }

  private static String limit(String identifier) {
    return request("limit", authorized(""), body(identifier));
  }

  private static long remaining(AbuseSocket.Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    Answer parsed = new Answer(answer.status(), answer.headers(), answer.text());
    return (Long) parsed.data().get("remaining");
  }

  /** Status, headers and content, without what differs from one request to the next. */
  private static String comparable(AbuseSocket.Answer answer) {
    return (answer.status() + " " + answer.headers() + " " + answer.text())
        .replaceAll("content-length=\\d+", "content-length")
        .replaceAll("req_\\w+", "req")
        .replaceAll("\"(remaining|reset|retryAfter)\":\\d+", "$1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit {\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1000,\"duration\":60000}",
        "limit {\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1,\"duration\":60000,\"cost\":2}",
        "limit {\"namespace\":\"n\"}",
        "limit {",
        "limit \u00ff",
        "limit ",
        "multiLimit [{\"namespace\":\"n\",\"identifier\":\"a\",\"limit\":1000,\"duration\":60000}]",
        "multiLimit []",
        "getOverride {\"namespace\":\"n\",\"identifier\":\"none\"}",
        "listOverrides {\"namespace\":\"n\"}"
      })
  void answersAsVertxDoes(String example) throws IOException {
    String route = example.substring(0, example.indexOf(' '));
    String body = example.substring(example.indexOf(' ') + 1);
    for (String headers : new String[] {
      authorized(""),
      authorized("Content-Type: application/json; charset=utf-8\r\n"),
      authorized("Content-Type: text/plain\r\nAccept: application/problem+json\r\n"),
      authorized("Content-Encoding: gzip\r\n"),
      authorized("Accept: */*\r\nConnection: keep-alive\r\n"),
      "Authorization: Bearer tg_unknown\r\n",
      "Authorization: Basic eA==\r\n",
      "Authorization: Bearer \r\n",
      ""
    }) {
      try (AbuseSocket plain = AbuseSocket.connect(node);
          AbuseSocket vertx = AbuseSocket.connect(node)) {
        for (int repetition = 0; repetition < 2; repetition++) { // the second has a kept head
          plain.send(request(route, headers, body));
          vertx.send(request(route, NOT_PLAIN + headers, body));
          assertThat(comparable(plain.read())).as(headers).isEqualTo(comparable(vertx.read()));
        }
      }
    }
  }

  @Test
  void aRequestMayArriveInTwoParts() throws IOException {
    String request = limit("parts");
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      long before = remaining(socket.send(request).read());
      for (int end = 1; end < request.length(); end++) {
        socket.send(request.substring(0, end));
        assertThat(socket.hasInput(1)).isFalse();
        AbuseSocket.Answer answer = socket.send(request.substring(end)).read();
        assertThat(remaining(answer)).isEqualTo(before - end);
      }
    }
  }

  @Test
  void requestsAreAnsweredInTheirOrderWhereverReadsEnd() throws IOException {
    Random random = new Random(1);
    StringBuilder all = new StringBuilder();
    int requests = 2_000;
    for (int i = 0; i < requests; i++) {
      all.append(limit(i % 3 == 0 ? "order" : "order" + i));
    }
    byte[] bytes = AbuseSocket.bytes(all.toString());
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      Thread sender = new Thread(() -> {
        for (int at = 0, next; at < bytes.length; at = next) {
          next = Math.min(bytes.length, at + 1 + random.nextInt(20_000));
          socket.trySend(Arrays.copyOfRange(bytes, at, next));
        }
      });
      sender.start();
      long expected = 999;
      for (int i = 0; i < requests; i++) {
        assertThat(remaining(socket.read())).isEqualTo(i % 3 == 0 ? expected-- % 1000 : 999);
      }
    }
  }

  @Test
  void anotherRequestMayFollowAtOnce() throws IOException {
    String plain = limit("mixed");
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      socket.send(plain + plain + LIVENESS + plain + LIVENESS + plain);
      assertThat(remaining(socket.read())).isEqualTo(999);
      assertThat(remaining(socket.read())).isEqualTo(998);
      assertThat(socket.read().text()).contains("\"message\":\"OK\"");
      assertThat(remaining(socket.read())).isEqualTo(997);
      assertThat(socket.read().text()).contains("\"message\":\"OK\"");
      assertThat(remaining(socket.read())).isEqualTo(996);
    }
  }

  @Test
  void aKeyIsCheckedAgainWithEveryRequest() throws IOException, SQLException {
    NewRootKey key = node.catalog()
        .createKey(
            node.workspaceId(),
            "test",
            Set.of("ratelimit.*.limit", "ratelimit.*.create_namespace"));
    String request =
        request("limit", "Authorization: Bearer " + key.secret() + "\r\n", body("revoked"));
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      for (int status : new int[] {200, 401}) {
        Waiting.untilPassed(
            Duration.ofSeconds(20), () -> assertThat(status(socket, request)).isEqualTo(status));
        node.catalog().revokeKey(key.key().id());
      }
    }
  }

  private static int status(AbuseSocket socket, String request) {
    try {
      return socket.send(request).read().status();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** An edit of the catalog is answered later, by another thread. */
  private static String edit(String identifier) {
    return request(
        "setOverride",
        authorized(""),
        "{\"namespace\":\"n\",\"identifier\":\"" + identifier
            + "\",\"limit\":7,\"duration\":60000}");
  }

  @Test
  void aRequestOfAnotherFormMayFollowOneThatIsAnsweredLater() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      assertThat(remaining(socket.send(limit("later")).read())).isEqualTo(999);
      socket.send(edit("later") + LIVENESS + limit("later"));
      assertThat(socket.read().text()).contains("overrideId");
      assertThat(socket.read().text()).contains("\"message\":\"OK\"");
      assertThat(remaining(socket.read())).isEqualTo(6); // of 7, in the window of the override
    }
  }

  @Test
  void longAnswersToWaitingRequestsAreSentOnce() throws IOException {
    String namespace = "{\"namespace\":\"n\"";
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      assertThat(remaining(socket.send(limit("long")).read())).isEqualTo(999);
      for (int i = 0; i < 100; i++) { // more than 64 kB in one page
        String identifier = "%03d".formatted(i) + "\u007f".repeat(200);
        assertThat(socket.send(edit(identifier)).read().status()).isEqualTo(200);
      }
      String list = request("listOverrides", authorized(""), namespace + ",\"limit\":100}");
      socket.send(edit("one") + list + limit("long") + list + limit("long"));
      assertThat(socket.read().text()).contains("overrideId");
      for (int remaining : new int[] {998, 997}) {
        assertThat(socket.read().content()).hasSizeGreaterThan(64 << 10);
        assertThat(remaining(socket.read())).isEqualTo(remaining);
      }
      assertThat(socket.hasInput(200)).isFalse();
    }
  }

  /** Vert.x reads the head of the first request before it reports a connection of this port. */
  @Test
  void aBodyOnTheGatewayPortIsNeverReadAsARequest() throws IOException {
    try (Node gateway = Node.startWithRules(
            "  - key: path\n    rate_limit: {unit: day, requests_per_unit: 1000}\n",
            "--gateway-port=0");
        AbuseSocket socket = AbuseSocket.connect(gateway.gatewayPort(), 0)) {
      String body = "POST /envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit HTTP/1.1\r\n"
          + "Host: x\r\nContent-Length: 0\r\n\r\n";
      socket.send("POST /v1/forward-auth HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length()
          + "\r\n\r\n");
      assertThat(socket.hasInput(200)).isFalse();
      socket.send(body);
      assertThat(socket.read().status()).isNotEqualTo(415);
      assertThat(socket.hasInput(200)).isFalse();
    }
  }

  @Test
  void manyHeadsOnOneConnectionAreAllRead() throws IOException {
    try (AbuseSocket socket = AbuseSocket.connect(node)) {
      for (int i = 0; i < 100; i++) {
        String headers = authorized("X-Number: " + i % 7 + "\r\n");
        String identifier = "heads".repeat(1 + i % 5);
        AbuseSocket.Answer answer =
            socket.send(request("limit", headers, body(identifier))).read();
        assertThat(remaining(answer)).isEqualTo(999 - i / 5);
      }
    }
  }
}
