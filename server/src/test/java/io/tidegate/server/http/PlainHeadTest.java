package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainHeadTest {

  private static final Endpoint LIMIT = endpoint("/v2/limit", HttpMethod.POST);
  private static final Map<String, Endpoint> ENDPOINTS = Map.of(
      "/v2/limit",
      LIMIT,
      "/v2/liveness",
      endpoint("/v2/liveness", HttpMethod.GET),
      "/any",
      new Endpoint("/any", null, (exchange, body) -> {}, (status, nanos) -> {}));

  private static final String BEGIN = "POST /v2/limit HTTP/1.1\r\nHost: tidegate\r\n";
  private static final String LENGTH = "Content-Length: 12\r\n";

  private static Endpoint endpoint(String path, HttpMethod method) {
    return new Endpoint(path, method, (exchange, body) -> {}, (status, nanos) -> {});
  }

  private static PlainHead parse(String text) {
    byte[] bytes = ("before" + text).getBytes(StandardCharsets.ISO_8859_1);
    return PlainHead.parse(bytes, "before".length(), bytes.length, ENDPOINTS);
  }

  /** Heads as clients send them: curl, Java, Go, Node's fetch, Python's requests and Envoy. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: localhost:8080\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\nAuthorization: Bearer tg_1\r\nContent-Type: application/json\r\nContent-Length: 75\r\n",
        "Content-Length: 75\r\nHost: localhost:8080\r\nUser-Agent: Java-http-client/17\r\nAuthorization: Bearer tg_1\r\nContent-Type: application/json\r\n",
        "Host: localhost:8080\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: 75\r\nAccept-Encoding: gzip\r\n",
        "host: localhost:8080\r\nconnection: keep-alive\r\ncontent-type: application/json\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\nuser-agent: node\r\naccept-encoding: gzip, deflate\r\ncontent-length: 75\r\n",
        "Host: localhost:8080\r\nUser-Agent: python-requests/2.32\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\nConnection: keep-alive\r\nContent-Length: 75\r\n",
        "host: tidegate\r\nx-forwarded-proto: http\r\nx-request-id: 9f\r\ncontent-length: 75\r\nx-envoy-expected-rq-timeout-ms: 20\r\n"
      })
  void readsWhatClientsSend(String headers) {
    PlainHead head = parse("POST /v2/limit HTTP/1.1\r\n" + headers + "\r\n{\"body\"");

    assertThat(head.endpoint()).isSameAs(LIMIT);
    assertThat(head.bodyLength()).isEqualTo(75);
    assertThat(head.length())
        .isEqualTo(("POST /v2/limit HTTP/1.1\r\n" + headers + "\r\n").length());
  }

  @Test
  void findsHeadersByNameWhateverTheCase() {
    PlainHead head = parse(BEGIN + LENGTH + "X-A:one\r\nx-a: \ttwo words \t\r\nX-Empty:\r\n\r\n");

    assertThat(head.header("X-a")).isEqualTo("one");
    assertThat(head.headers("x-A")).containsExactly("one", "two words");
    assertThat(head.header("x-empty")).isEmpty();
    assertThat(head.header("x-")).isNull();
    assertThat(head.headers("x-b")).isEmpty();
    assertThat(head.header("host")).isEqualTo("tidegate");
  }

  @Test
  void everyBeginningIsIncomplete() {
    String whole = BEGIN + "Authorization: Bearer tg_1\r\nX-Empty:\r\n" + LENGTH + "\r\n";

    for (int end = 0; end < whole.length(); end++) {
      assertThat(parse(whole.substring(0, end)))
          .as(whole.substring(0, end))
          .isSameAs(PlainHead.INCOMPLETE);
    }
    assertThat(parse(whole).bodyLength()).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v2/liveness HTTP/1.1\r\n",
        "GET /v2/limit HTTP/1.1\r\n",
        "post /v2/limit HTTP/1.1\r\n",
        "PRI * HTTP/2.0\r\n",
        "POST  /v2/limit HTTP/1.1\r\n",
        "POST /v2/limit  HTTP/1.1\r\n",
        "POST /v2/limit HTTP/1.0\r\n",
        "POST /v2/limit HTTP/1.1\n",
        "POST /v2/limit?x HTTP/1.1\r\n",
        "POST http://tidegate/v2/limit HTTP/1.1\r\n",
        "POST /v2/liveness HTTP/1.1\r\n",
        "POST /any HTTP/1.1\r\n",
        "POST /v2/lim\u00e9t HTTP/1.1\r\n",
        "\r\nPOST /v2/limit HTTP/1.1\r\n",
        "\u0016\u0003\u0001"
      })
  void leavesOtherRequestLines(String line) {
    assertThat(parse(line + "Host: x\r\n" + LENGTH + "\r\n")).isSameAs(PlainHead.OTHER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n",
        "transfer-encoding: identity\r\n",
        "Content-Length: 12\r\n",
        "content-length: 13\r\n",
        "Host: other\r\n",
        "Expect: 100-continue\r\n",
        "Connection: close\r\n",
        "Connection: keep-alive, Upgrade\r\n",
        "Connection:\r\n",
        "Upgrade: h2c\r\n",
        "HTTP2-Settings: AAMAAABkAAQ\r\n",
        "TE: trailers\r\n",
        "Trailer: x\r\n",
        "X: a\u0000b\r\n",
        "X: a\u007fb\r\n",
        "X: \u00e9\r\n",
        "X: a\nY: b\r\n",
        "X: a\rY: b\r\n",
        "X : a\r\n",
        " X: a\r\n",
        "\tfolded\r\n",
        ": a\r\n",
        "X\r\n",
        "X\u00e9: a\r\n",
        "X(: a\r\n"
      })
  void leavesHeadersThatChangeTheFormOrCouldBeReadInTwoWays(String header) {
    assertThat(parse(BEGIN + LENGTH + header + "\r\n")).isSameAs(PlainHead.OTHER);
    assertThat(parse(BEGIN + header + LENGTH + "\r\n")).isSameAs(PlainHead.OTHER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "+5", "5 5", "5,5", "0x10", "5.0", "32769", "9999999999999999999"})
  void leavesOtherLengths(String length) {
    assertThat(parse(BEGIN + "Content-Length: " + length + "\r\n\r\n")).isSameAs(PlainHead.OTHER);
  }

  @Test
  void leavesHeadsWithoutLengthOrHost() {
    assertThat(parse(BEGIN + "\r\n")).isSameAs(PlainHead.OTHER);
    assertThat(parse("POST /v2/limit HTTP/1.1\r\n" + LENGTH + "\r\n")).isSameAs(PlainHead.OTHER);
    assertThat(parse("POST /v2/limit HTTP/1.1\r\nHost:\r\n" + LENGTH + "\r\n"))
        .isSameAs(PlainHead.OTHER);
  }

  @Test
  void acceptsTheLongestHeadAndBodyAndNoLongerOnes() {
    String rest = "Content-Length: " + PlainHead.MAX_BODY_BYTES + "\r\nX: ";
    int room = PlainHead.MAX_HEAD_BYTES - BEGIN.length() - rest.length() - "\r\n\r\n".length();

    PlainHead longest = parse(BEGIN + rest + "x".repeat(room) + "\r\n\r\n");
    assertThat(longest.length()).isEqualTo(PlainHead.MAX_HEAD_BYTES);
    assertThat(longest.bodyLength()).isEqualTo(PlainHead.MAX_BODY_BYTES);
    assertThat(parse(BEGIN + rest + "x".repeat(room + 1) + "\r\n\r\n")).isSameAs(PlainHead.OTHER);
    assertThat(parse(BEGIN + rest + "x".repeat(PlainHead.MAX_HEAD_BYTES)))
        .isSameAs(PlainHead.OTHER);
  }

  @Test
  void onlySmallHeadsAreKept() {
    assertThat(parse(BEGIN + LENGTH + "\r\n").isSmall()).isTrue();
    assertThat(parse(BEGIN + LENGTH + "X: " + "x".repeat(1_000) + "\r\n\r\n").isSmall())
        .isFalse();
    assertThat(parse(BEGIN + LENGTH + "X:\r\n".repeat(30) + "\r\n").isSmall()).isTrue();
    assertThat(parse(BEGIN + LENGTH + "X:\r\n".repeat(31) + "\r\n").isSmall()).isFalse();
    assertThat(PlainHead.OTHER.isSmall()).isFalse();
    assertThat(PlainHead.INCOMPLETE.isSmall()).isFalse();
  }

  @Test
  void recognizesItsOwnBytesOnly() {
    String text = BEGIN + LENGTH + "\r\n";
    PlainHead head = parse(text);
    byte[] twice = (text + text).getBytes(StandardCharsets.ISO_8859_1);

    assertThat(head.isAt(twice, 0, twice.length)).isTrue();
    assertThat(head.isAt(twice, text.length(), twice.length)).isTrue();
    assertThat(head.isAt(twice, text.length() + 1, twice.length)).isFalse();
    for (int i = 0; i < text.length(); i++) {
      byte[] changed = text.getBytes(StandardCharsets.ISO_8859_1);
      changed[i] ^= 1;
      assertThat(head.isAt(changed, 0, changed.length)).isFalse();
    }
  }

  @Test
  void keepsWhatAFunctionDerives() {
    PlainHead head = parse(BEGIN + LENGTH + "\r\n");
    AtomicInteger calls = new AtomicInteger();
    Function<HttpExchange, Integer> count = exchange -> calls.incrementAndGet();

    HttpExchange none = null; // the functions of this test do not use it
    assertThat(head.<Integer>read(none, count)).isEqualTo(1);
    assertThat(head.<Integer>read(none, count)).isEqualTo(1);
    assertThat(head.<String>read(none, exchange -> "another")).isEqualTo("another");
  }
}
