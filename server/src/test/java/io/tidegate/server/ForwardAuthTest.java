package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /v1/forward-auth} on the gateway port, without a proxy. */
class ForwardAuthTest {

  private static final String SECRET = "a-secret-of-the-gateway-port";

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.startWithRules("""
          - key: client
            rate_limit: {name: per-client, unit: day, requests_per_unit: 2}
          - key: nameless
            rate_limit: {unit: hour, requests_per_unit: 5}
          - key: route
            value: login
            descriptors:
              - key: user
                rate_limit: {name: login, unit: day, requests_per_unit: 1}
          - key: path
            value: /exact
            rate_limit: {name: path, unit: day, requests_per_unit: 1000}
          - key: trial
            shadow_mode: true
            rate_limit: {name: trial, unit: day, requests_per_unit: 1}
          - key: closed
            rate_limit: {name: closed, unit: day, requests_per_unit: 0}
          - key: free
            rate_limit: {name: free, unlimited: true}
        """, "--gateway-port=0");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Answer call(String parameters, String... headers) {
    return call(node, parameters, headers);
  }

  private static Answer call(Node node, String parameters, String... headers) {
    return send(node, "GET", parameters, headers);
  }

  private static Answer send(Node node, String method, String parameters, String... headers) {
    URI uri = node.gatewayUri("/v1/forward-auth?" + parameters);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Answer.of(Node.send(request.build()));
  }

  private static Answer byClient(String address, String... more) {
    return call(
        "domain=other&descriptor=client:client" + String.join("", more),
        "X-Forwarded-For",
        address);
  }

  @Test
  void answersWithTheDecision() {
    Answer first = byClient("10.1.0.1");
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.text()).isEmpty();
    assertThat(first.header("RateLimit-Policy")).isEqualTo("\"per-client\";q=2;w=86400");
    assertThat(first.header("RateLimit")).matches("\"per-client\";r=1;t=\\d+");
    assertThat(first.header("Retry-After")).isNull();
    assertThat(byClient("10.1.0.1").header("RateLimit")).startsWith("\"per-client\";r=0;t=");

    Answer denied = byClient("10.1.0.1");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.contentType()).isEqualTo("application/problem+json");
    assertThat(denied.header("RateLimit"))
        .isEqualTo("\"per-client\";r=0;t=" + denied.header("Retry-After"));
    assertThat(denied.header("Retry-After")).matches("[1-9]\\d*");
    assertThat(denied.header("X-Tidegate-Status")).isNull();
    assertThat(denied.body())
        .containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded")
        .containsEntry("status", 429L)
        .containsEntry("violated-policies", List.of("per-client"));

    assertThat(byClient("10.1.0.2").status()).isEqualTo(200);
  }

  @Test
  void denialCanHaveTheStatusForNginx() {
    exhaust("10.2.0.1");
    Answer denied = byClient("10.2.0.1", "&denied=403");
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.header("X-Tidegate-Status")).isEqualTo("429");
    assertThat(denied.header("Retry-After")).isNotNull();
    assertThat(denied.body()).containsEntry("status", 403L);
    assertThat(byClient("10.2.0.2", "&denied=403").status()).isEqualTo(200);
    assertThat(byClient("10.2.0.1", "&denied=429").status()).isEqualTo(429);
  }

  private static void exhaust(String address) {
    while (byClient(address).status() == 200) {
      // Each call takes a token.
    }
  }

  @Test
  void formOfTheHeadersIsAParameter() {
    Answer old = byClient("10.3.0.1", "&headers=draft-06");
    assertThat(old.header("RateLimit-Limit")).isEqualTo("2");
    assertThat(old.header("RateLimit-Remaining")).isEqualTo("1");
    assertThat(old.header("RateLimit-Reset")).matches("[1-9]\\d*");
    assertThat(old.header("RateLimit")).isNull();

    assertThat(byClient("10.3.0.1", "&headers=off").headers().keySet())
        .noneMatch(name -> name.startsWith("ratelimit"));
    Answer denied = byClient("10.3.0.1", "&headers=off");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.headers().keySet())
        .noneMatch(name -> name.startsWith("ratelimit"))
        .contains("retry-after");
  }

  @Test
  void ruleWithoutANameIsShownByItsPath() {
    assertThat(call("domain=other&descriptor=nameless:value(x)").header("RateLimit-Policy"))
        .isEqualTo("\"nameless\";q=5;w=3600");
  }

  @Test
  void noWaitIsShownIfNoneHelps() {
    Answer denied = call("domain=other&descriptor=closed:value(x)");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.header("RateLimit")).isEqualTo("\"closed\";r=0");
    assertThat(denied.header("Retry-After")).isNull();
  }

  @Test
  void severalDescriptorsAreDecidedTogether() {
    String parameters =
        "domain=other&descriptor=client:client&descriptor=route:value(login),user:header(X-User)";
    Answer allowed = call(parameters, "X-Forwarded-For", "10.4.0.1", "X-User", "anna");
    assertThat(allowed.header("RateLimit-Policy"))
        .isEqualTo("\"per-client\";q=2;w=86400, \"login\";q=1;w=86400");
    assertThat(allowed.header("RateLimit"))
        .matches("\"login\";r=0;t=\\d+, \"per-client\";r=1;t=\\d+");

    Answer denied = call(parameters, "X-Forwarded-For", "10.4.0.1", "X-User", "anna");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.body()).containsEntry("violated-policies", List.of("login"));

    Answer another = call(parameters, "X-Forwarded-For", "10.4.0.1", "X-User", "bob");
    assertThat(another.status()).as("the denial took nothing").isEqualTo(200);
  }

  @Test
  void descriptorWithoutItsHeaderIsLeftOut() {
    String descriptor = "&descriptor=route:value(login),user:header(X-User)";
    assertThat(call("domain=other" + descriptor).status()).isEqualTo(200);
    Answer one =
        call("domain=other&descriptor=client:client" + descriptor, "X-Forwarded-For", "10.5.0.1");
    assertThat(one.header("RateLimit-Policy")).isEqualTo("\"per-client\";q=2;w=86400");
  }

  @Test
  void emptyHeaderIsAValue() {
    String parameters = "domain=other&descriptor=route:value(login),user:header(X-Empty)";
    assertThat(call(parameters, "X-Empty", "").status()).isEqualTo(200);
    assertThat(call(parameters, "X-Empty", "").status()).isEqualTo(429);
  }

  @Test
  void queryIsNotPartOfThePath() {
    String parameters = "domain=other&descriptor=path:path";
    for (String uri : List.of("/exact", "/exact?", "/exact?a=b&c=/d?e")) {
      assertThat(call(parameters, "X-Forwarded-Uri", uri).header("RateLimit-Policy"))
          .as(uri)
          .isEqualTo("\"path\";q=1000;w=86400");
    }
    assertThat(call(parameters, "X-Forwarded-Uri", "/exactly").header("RateLimit"))
        .isNull();
    assertThat(call(parameters).header("RateLimit")).isNull();
  }

  @Test
  void hopsSelectTheClient() {
    String[] forged = {"X-Forwarded-For", "forged, 10.6.0.1, 10.6.0.2"};
    exhaust("10.6.0.1");
    String parameters = "domain=other&descriptor=client:client";
    assertThat(call(parameters, forged).status()).isEqualTo(200);
    assertThat(call(parameters + "&hops=2", forged).status()).isEqualTo(429);
    assertThat(call(parameters + "&hops=3", forged).status()).isEqualTo(200);
    assertThat(call(parameters, "X-Real-Ip", "10.6.0.1").status()).isEqualTo(429);
    call(parameters + "&hops=0", forged);
    call(parameters + "&hops=0", forged);
    assertThat(call(parameters + "&hops=0", forged).status()).isEqualTo(429);
    assertThat(call(parameters).status()).as("the peer too").isEqualTo(429);
  }

  @Test
  void addressesOfOneNetworkCanShareALimit() {
    String parameters = "domain=other&descriptor=client:network";
    assertThat(call(parameters, "X-Forwarded-For", "2001:db8::1").status()).isEqualTo(200);
    assertThat(call(parameters, "X-Forwarded-For", "2001:db8::2").status()).isEqualTo(200);
    assertThat(call(parameters, "X-Forwarded-For", "2001:db8::3").status()).isEqualTo(429);
    assertThat(call(parameters, "X-Forwarded-For", "2001:db8:0:1::1").status()).isEqualTo(200);
  }

  @Test
  void shadowRuleIsInvisible() {
    for (int i = 0; i < 3; i++) {
      Answer answer = call("domain=other&descriptor=trial:value(x)");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("RateLimit")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "domain=unknown&descriptor=client:client",
        "domain=other&descriptor=unknown:client",
        "domain=other&descriptor=client:client,more:client",
        "domain=other&descriptor=free:client"
      })
  void requestWithoutALimitIsAllowed(String parameters) {
    for (int i = 0; i < 4; i++) {
      Answer answer = call(parameters, "X-Forwarded-For", "10.7.0.1");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("RateLimit")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"})
  void allMethodsAreAccepted(String method) {
    String[] client = {"X-Forwarded-For", "10.8.0." + method};
    String parameters = "domain=other&descriptor=client:client";
    assertThat(send(node, method, parameters, client).header("RateLimit")).contains("r=1");
    send(node, method, parameters, client);
    Answer denied = send(node, method, parameters, client);
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.text().isEmpty()).isEqualTo(method.equals("HEAD"));
  }

  /** A proxy that forwards bodies, on one connection. */
  @Test
  void bodiesAreIgnored() throws IOException {
    String request = "POST /v1/forward-auth?domain=other&descriptor=client:client HTTP/1.1\r\n"
        + "Host: x\r\nX-Forwarded-For: 10.9.0.1\r\nContent-Length: 5\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.gatewayPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write((request + "\r\nhello" + request + "Connection: close\r\n\r\nhello")
              .getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answers.split("HTTP/1.1 200 OK\r\n", -1)).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      descriptor=a:client                            | query.domain      | is required
      domain=&descriptor=a:client                    | query.domain      | is required
      domain=other                                   | query.descriptor  | is required
      domain=other&domain=x&descriptor=a:client      | query.domain      | must not be given twice
      domain=other&descriptor=a:what                 | query.descriptor  | must be KEY:client, KEY:network, KEY:path, KEY:header(NAME) or KEY:value(TEXT), several separated by commas: a:what
      domain=other&descriptor=a:client&hops=-1       | query.hops        | must be between 0 and 100: -1
      domain=other&descriptor=a:client&hops=101      | query.hops        | must be between 0 and 100: 101
      domain=other&descriptor=a:client&hops=one      | query.hops        | must be between 0 and 100: one
      domain=other&descriptor=a:client&denied=500    | query.denied      | must be 429 or 403: 500
      domain=other&descriptor=a:client&headers=new   | query.headers     | must be draft-11, draft-06 or off: new
      domain=other&descriptor=a:client&hop=1         | query.hop         | is not a parameter of this route
      """)
  void invalidParametersAreNamed(String parameters, String location, String message) {
    Answer answer = call(parameters);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.violations())
        .containsExactly(Json.map("location", location, "message", message));
    assertThat((String) answer.error().get("detail")).contains(message);
  }

  @Test
  void invalidEncodingIsRejected() throws IOException {
    assertThat(raw("/v1/forward-auth?domain=%zz&descriptor=a:client")).startsWith("HTTP/1.1 400 ");
    assertThat(raw("/v1/forward-auth")).startsWith("HTTP/1.1 400 ");
  }

  private static String raw(String target) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.gatewayPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void percentEncodedValuesAreDecoded() {
    Answer answer = call("domain=other&descriptor=client:value(%25%26%C3%A9%2B)");
    assertThat(answer.header("RateLimit")).contains("r=1");
  }

  @Test
  void secretIsRequiredIfThePortHasOne() {
    try (Node guarded = Node.startWithRules(
        "  - key: client\n    rate_limit: {unit: day, requests_per_unit: 2}\n",
        "--gateway-port=0",
        "--gateway-secret=" + SECRET)) {
      String parameters = "domain=other&descriptor=client:client";
      List<Answer> refused = new ArrayList<>(List.of(
          call(guarded, parameters),
          call(guarded, parameters + "&secret=wrong"),
          call(guarded, parameters + "&secret="),
          call(guarded, parameters, "X-Tidegate-Secret", SECRET + "x")));
      assertThat(refused).allSatisfy(answer -> {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text()).doesNotContain(SECRET);
      });
      assertThat(call(guarded, parameters + "&secret=" + SECRET).header("RateLimit"))
          .contains("r=1");
      assertThat(call(guarded, parameters, "X-Tidegate-Secret", SECRET).header("RateLimit"))
          .contains("r=0");
    }
  }

  @Test
  void isNotOnThePublicPort() {
    assertThat(Answer.of(Node.send(HttpRequest.newBuilder(
                    node.uri("/v1/forward-auth?domain=other&descriptor=client:client"))
                .build()))
            .status())
        .isEqualTo(404);
  }
}
