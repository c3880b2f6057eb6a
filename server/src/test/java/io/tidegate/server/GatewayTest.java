package io.tidegate.server;

import static io.tidegate.server.RlsMessages.descriptor;
import static io.tidegate.server.RlsMessages.hits;
import static io.tidegate.server.RlsMessages.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.RlsMessages.Response;
import io.tidegate.server.RlsMessages.Status;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envoy's rate limit service and gRPC health over HTTP/2 without TLS. */
@Timeout(120)
class GatewayTest {

  private static final String RULES = """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {name: users, unit: year, requests_per_unit: 3}
        - key: address
          rate_limit: {unit: year, requests_per_unit: 5000000000}
        - key: free
          rate_limit: {unlimited: true}
        - key: closed
          rate_limit: {unit: minute, requests_per_unit: 0}
        - key: shadow
          shadow_mode: true
          rate_limit: {name: shadows, unit: year, requests_per_unit: 1}
        - key: window
          rate_limit: {window: 3650h, requests_per_unit: 10}
        - key: metadata
          rate_limit: {unit: year, requests_per_unit: 100}
          metadata: {plan: gold, limits: {a: 1, b: 2.5}, tags: [x, true, '']}
        - key: more
          rate_limit: {unit: year, requests_per_unit: 100}
          metadata: {plan: silver, limits: {a: 9, c: 3}}
      """;

  /** The windows of these tests are years, so that none ends while they run. */
  private static final int YEAR = 6;

  private static final String SECRET = "0123456789abcdefghij";

  @TempDir
  private static Path directory;

  private static Node node;
  private static Node guarded;
  private static GrpcClient client;
  private static GrpcClient guardedClient;

  @BeforeAll
  static void start() throws Exception {
    Files.writeString(directory.resolve("edge.yaml"), RULES);
    node = Node.start("--gateway-port=0", "--rules=" + directory);
    guarded = Node.start(
        "--gateway-port=0",
        "--gateway-host=0.0.0.0",
        "--gateway-secret=" + SECRET,
        "--gateway-headers=draft-11",
        "--gateway-metadata",
        "--shadow-mode",
        "--rules=" + directory);
    client = new GrpcClient(node.gatewayPort());
    guardedClient = new GrpcClient(guarded.gatewayPort());
  }

  @AfterAll
  static void stop() {
    client.close();
    guardedClient.close();
    node.close();
    guarded.close();
  }

  private static Response ask(Protobuf... descriptors) {
    return Response.of(client.ask(request("edge", descriptors)));
  }

  private static Response askGuarded(Protobuf... descriptors) {
    return Response.of(
        guardedClient.ask(request("edge", descriptors), "authorization", "Bearer " + SECRET));
  }

  // Decisions

  @Test
  void withinTheLimitAndOver() {
    for (int remaining = 2; remaining >= 0; remaining--) {
      Response response = ask(descriptor("user", "a"));
      assertThat(response.code()).isEqualTo("OK");
      assertThat(response.statuses())
          .singleElement()
          .usingRecursiveComparison()
          .ignoringFields("resetSeconds")
          .isEqualTo(new Status("OK", 3, YEAR, "users", remaining, 0));
    }
    Response over = ask(descriptor("user", "a"));
    assertThat(over.code()).isEqualTo("OVER_LIMIT");
    Status status = over.statuses().get(0);
    assertThat(status.code()).isEqualTo("OVER_LIMIT");
    assertThat(status.limit()).isEqualTo(3);
    assertThat(status.remaining()).isZero();
    assertThat(status.resetSeconds()).isBetween(1L, 2 * 365 * 86_400L);
  }

  @Test
  void unknownDomainAndUnmatchedDescriptorAreAllowedWithoutALimit() {
    Status none = new Status("OK", -1, -1, "", -1, -1);
    assertThat(Response.of(client.ask(request("elsewhere", descriptor("user", "x"))))
            .statuses())
        .containsExactly(none);
    Response response = ask(descriptor("other", "x"), descriptor("user", "b"));
    assertThat(response.code()).isEqualTo("OK");
    assertThat(response.statuses()).hasSize(2).first().isEqualTo(none);
    assertThat(response.headers()).isEmpty();
  }

  @Test
  void numbersAreCutTo32Bits() {
    assertThat(ask(descriptor("address", "x")).statuses().get(0))
        .usingRecursiveComparison()
        .ignoringFields("resetSeconds")
        .isEqualTo(new Status("OK", 0xffff_ffffL, YEAR, "address", 0xffff_ffffL, 0));
    assertThat(ask(descriptor("free", "x")).statuses())
        .containsExactly(new Status("OK", -1, -1, "", 0xffff_ffffL, -1));
  }

  @Test
  void aLimitOfZeroIsAlwaysOverAndResetsAtTheEndOfItsWindow() {
    Status status = ask(hits(0, "closed", "x")).statuses().get(0);
    assertThat(status.code()).isEqualTo("OVER_LIMIT");
    assertThat(status.limit()).isZero();
    assertThat(status.resetSeconds()).isBetween(1L, 60L);
  }

  @Test
  void aShadowRuleIsOkWithNothingRemaining() {
    ask(descriptor("shadow", "x"));
    Response response = ask(descriptor("shadow", "x"));
    assertThat(response.code()).isEqualTo("OK");
    assertThat(response.statuses().get(0).code()).isEqualTo("OK");
    assertThat(response.statuses().get(0).remaining()).isZero();
  }

  @Test
  void aWindowThatIsNoUnitHasTheUnknownUnit() {
    assertThat(ask(descriptor("window", "x")).statuses().get(0).unit()).isZero();
  }

  @Test
  void aDeniedRequestChargesNoDescriptor() {
    ask(hits(3, "user", "used up"));
    Response response = ask(descriptor("user", "fresh"), descriptor("user", "used up"));
    assertThat(response.code()).isEqualTo("OVER_LIMIT");
    assertThat(response.statuses()).extracting(Status::code).containsExactly("OK", "OVER_LIMIT");
    assertThat(ask(hits(0, "user", "fresh")).statuses().get(0).remaining()).isEqualTo(3);
  }

  @Test
  void explicitHitsAreRecordedAndPeeksTakeNothing() {
    assertThat(ask(hits(5, "user", "tokens")).code()).isEqualTo("OVER_LIMIT");
    assertThat(ask(hits(0, "user", "tokens")).code()).isEqualTo("OVER_LIMIT");
    Protobuf request = request("edge", descriptor("user", "hits")).varint(3, 2);
    assertThat(Response.of(client.ask(request)).statuses().get(0).remaining()).isEqualTo(1);
  }

  @Test
  void negativeHitsAreOk() {
    ask(hits(3, "user", "negative"));
    Response response = ask(hits(2, "user", "negative").varint(4, 1));
    assertThat(response.code()).isEqualTo("OK");
    assertThat(ask(descriptor("user", "negative")).code()).isEqualTo("OVER_LIMIT");
  }

  @Test
  void aLimitInTheDescriptorHasNoName() {
    Protobuf descriptor =
        descriptor("user", "own").message(2, Protobuf.message().varint(1, 7).varint(2, YEAR));
    assertThat(ask(descriptor).statuses().get(0))
        .usingRecursiveComparison()
        .ignoringFields("resetSeconds")
        .isEqualTo(new Status("OK", 7, YEAR, "", 6, 0));
  }

  @Test
  void unknownFieldsAreIgnored() {
    Protobuf request = Protobuf.message()
        .raw(0x25, 1, 2, 3, 4) // field 4, 32 bits
        .raw(0x29, 1, 2, 3, 4, 5, 6, 7, 8) // field 5, 64 bits
        .raw(0x33, 0x08, 1, 0x3b, 0x3c, 0x34) // field 6, a group with a group in it
        .varint(1, 7) // the domain, but a number
        .text(99, "unknown")
        .text(1, "edge")
        .message(2, descriptor("user", "fields").varint(1, 3).text(77, "x"));
    assertThat(Response.of(client.ask(request)).statuses().get(0).remaining()).isEqualTo(2);
  }

  @Test
  void bytesThatAreNotUtf8StillCount() {
    Protobuf entry = Protobuf.message().text(1, "user").bytes(2, new byte[] {(byte) 0xff, 'x'});
    Protobuf descriptor = Protobuf.message().message(1, entry);
    assertThat(ask(descriptor).statuses().get(0).remaining()).isEqualTo(2);
    assertThat(ask(descriptor).statuses().get(0).remaining()).isEqualTo(1);
  }

  // Errors

  @Test
  void requestsThatTheReferenceRejectsGetItsErrors() {
    GrpcClient.Answer noDomain = client.ask(request("", descriptor("user", "a")));
    assertThat(noDomain.isTrailersOnly()).isTrue();
    assertThat(noDomain.httpStatus()).isEqualTo(200);
    assertThat(noDomain.headers().get("content-type")).isEqualTo("application/grpc");
    assertThat(noDomain.status()).isEqualTo(2);
    assertThat(noDomain.error()).isEqualTo("rate limit domain must not be empty");
    GrpcClient.Answer noDescriptor = client.ask(request("edge"));
    assertThat(noDescriptor.status()).isEqualTo(2);
    assertThat(noDescriptor.error()).isEqualTo("rate limit descriptor list must not be empty");
  }

  @Test
  void aNodeWithoutRulesAnswersAnError() {
    try (Node none = Node.start("--gateway-port=0");
        GrpcClient other = new GrpcClient(none.gatewayPort())) {
      GrpcClient.Answer answer = other.ask(request("edge", descriptor("user", "a")));
      assertThat(answer.status()).isEqualTo(2);
      assertThat(answer.error()).isEqualTo("no rate limit configuration loaded");
    }
  }

  @Test
  void tooManyDescriptorsAndEntriesAreRejected() {
    Protobuf[] many = new Protobuf[1_001];
    Arrays.fill(many, descriptor("other", "a"));
    assertThat(client.ask(request("edge", many)).status()).isEqualTo(3);
    assertThat(client.ask(request("edge", Arrays.copyOf(many, 1_000))).status()).isZero();
    String[] entries = new String[2 * 101];
    Arrays.fill(entries, "e");
    assertThat(client.ask(request("edge", descriptor(entries))).status()).isEqualTo(3);
  }

  @Test
  void aLimitWithAnUnknownUnitIsRejected() {
    Protobuf descriptor =
        descriptor("user", "own").message(2, Protobuf.message().varint(1, 7));
    GrpcClient.Answer answer = client.ask(request("edge", descriptor));
    assertThat(answer.status()).isEqualTo(3);
    assertThat(answer.error()).isEqualTo("the limit of a descriptor has an unknown unit: 0");
  }

  @Test
  void malformedMessagesAreRejected() {
    assertThat(client.ask(Protobuf.message().raw(0x0a, 200, 1)).status()).isEqualTo(13);
    assertThat(client.ask(Protobuf.message().raw(0xff)).status()).isEqualTo(13);
    assertThat(post(new byte[0]).status()).isEqualTo(13);
    assertThat(post(new byte[] {0, 0, 0, 0}).status()).isEqualTo(13);
    assertThat(post(new byte[] {0, 0, 0, 0, 9, 1}).status()).isEqualTo(13);
    assertThat(post(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}).status()).isEqualTo(13);
    assertThat(post(new byte[] {0, -1, -1, -1, -1}).status()).isEqualTo(13);
  }

  private static GrpcClient.Answer post(byte[] body) {
    return client.post(GrpcClient.SHOULD_RATE_LIMIT, body, "application/grpc");
  }

  @Test
  void compressedMessagesAreRejectedAndIdentityIsAccepted() {
    byte[] body = GrpcClient.frame(request("edge", descriptor("other", "a")).toBytes());
    assertThat(client
            .post(
                GrpcClient.SHOULD_RATE_LIMIT,
                body,
                "application/grpc+proto",
                "grpc-encoding",
                "identity")
            .status())
        .isZero();
    body[0] = 1;
    GrpcClient.Answer answer = client.post(
        GrpcClient.SHOULD_RATE_LIMIT, body, "application/grpc", "grpc-encoding", "gzip");
    assertThat(answer.status()).isEqualTo(12);
    assertThat(answer.headers().get("grpc-accept-encoding")).isEqualTo("identity");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/envoy.service.ratelimit.v3.RateLimitService/Other",
        "/envoy.service.ratelimit.v2.RateLimitService/ShouldRateLimit",
        "/grpc.health.v1.Health/Watch",
        "/v2/ratelimit.limit",
        "/"
      })
  void unknownMethodsAreUnimplemented(String path) {
    GrpcClient.Answer answer = client.call(path, Protobuf.message());
    assertThat(answer.status()).isEqualTo(12);
    assertThat(answer.isTrailersOnly()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "application/grpc-web", "application/grpcx", "text/plain"})
  void otherContentIsRejected(String contentType) {
    byte[] body = GrpcClient.frame(new byte[0]);
    assertThat(client.post(GrpcClient.SHOULD_RATE_LIMIT, body, contentType).httpStatus())
        .isEqualTo(415);
    assertThat(client.post("/unknown", body, contentType).httpStatus()).isEqualTo(404);
  }

  @Test
  void grpcNeedsHttp2() {
    HttpResponse<String> answer = Node.send(HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + node.gatewayPort() + GrpcClient.SHOULD_RATE_LIMIT))
        .header("Content-Type", "application/grpc")
        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[5]))
        .build());
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.body()).contains("gRPC needs HTTP/2.");
  }

  @Test
  void thePortsHaveTheirOwnRoutes() {
    assertThat(node.post(GrpcClient.SHOULD_RATE_LIMIT, "{}").statusCode()).isEqualTo(404);
    assertThat(Node.send(HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + node.gatewayPort() + "/v2/liveness"))
                .build())
            .statusCode())
        .isEqualTo(404);
  }

  @Test
  void errorsAreCounted() {
    client.call("/unknown", Protobuf.message());
    assertThat(metrics()).contains("tidegate_grpc_errors_total{status=\"unimplemented\"}");
  }

  private static String metrics() {
    return Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build()).body();
  }

  @Test
  void rulesAreCounted() {
    ask(descriptor("metadata", "metrics"));
    assertThat(metrics())
        .contains("tidegate_rule_hits_total{rule=\"edge.metadata\"}")
        .contains("tidegate_http_requests_total{route=\"" + GrpcClient.SHOULD_RATE_LIMIT
            + "\",status=\"200\"}");
  }

  // The secret

  @ParameterizedTest
  @CsvSource({
    "authorization, Bearer wrong",
    "authorization, Bearer 0123456789abcdefghi",
    "authorization, Bearer 0123456789abcdefghijk",
    "authorization, 0123456789abcdefghij",
    "authorization, Basic 0123456789abcdefghij",
    "x-other, Bearer 0123456789abcdefghij",
  })
  void aWrongSecretIsRejected(String header, String value) {
    GrpcClient.Answer answer =
        guardedClient.ask(request("edge", descriptor("user", "a")), header, value);
    assertThat(answer.status()).isEqualTo(16);
    assertThat(answer.error()).contains("authorization").doesNotContain(SECRET);
  }

  @Test
  void theSecretIsAccepted() {
    assertThat(askGuarded(descriptor("free", "a")).code()).isEqualTo("OK");
    assertThat(guardedClient
            .ask(request("edge", descriptor("free", "a")), "authorization", "bearer " + SECRET)
            .status())
        .isZero();
  }

  // Health

  @Test
  void aReadyNodeServes() {
    for (GrpcClient each : List.of(client, guardedClient)) {
      for (Protobuf service :
          List.of(Protobuf.message(), Protobuf.message().text(1, "ratelimit"))) {
        GrpcClient.Answer answer = each.call(GrpcClient.HEALTH, service);
        assertThat(Protobuf.parse(answer.message())).isEqualTo(Map.of(1, List.of(1L)));
      }
    }
    assertThat(client.call(GrpcClient.HEALTH, Protobuf.message().text(1, "x")).status())
        .isEqualTo(5);
  }

  // Response headers, metadata, shadow mode

  @Test
  void headersDescribeTheLimitsThatClientsMeet() {
    Response response = askGuarded(
        descriptor("user", "headers"), descriptor("shadow", "headers"), descriptor("free", "x"));
    assertThat(response.headers())
        .hasSize(2)
        .anyMatch(header -> header.equals("RateLimit-Policy: \"users\";q=3;w=31536000"))
        .anyMatch(header -> header.matches("RateLimit: \"users\";r=2;t=\\d+"));
  }

  @Test
  void inShadowModeTheAnswerIsOkAndTheStatusIsNot() {
    Response response = askGuarded(descriptor("closed", "x"));
    assertThat(response.code()).isEqualTo("OK");
    assertThat(response.statuses().get(0).code()).isEqualTo("OVER_LIMIT");
  }

  @Test
  void metadataHasTheRequestAndTheMetadataOfItsRules() {
    Response response = Response.of(guardedClient.ask(
        request(
                "edge",
                hits(2, "metadata", "a"),
                descriptor("more", "b", "c", "d"),
                descriptor("more", "b"),
                descriptor("more", "c")
                    .message(2, Protobuf.message().varint(1, 7).varint(2, 7)))
            .varint(3, 1),
        "authorization",
        "Bearer " + SECRET));
    byte[] struct = (byte[]) response.fields().get(6).get(0);
    assertThat(RlsMessages.struct(struct))
        .isEqualTo(Map.of(
            "domain",
            "edge",
            "hitsAddend",
            1.0,
            "descriptors",
            List.of(
                Map.of("entries", List.of("metadata=a"), "hitsAddend", 2.0),
                Map.of("entries", List.of("more=b", "c=d")),
                Map.of("entries", List.of("more=b")),
                Map.of("entries", List.of("more=c"), "limit", "requests_per_unit:7 unit:WEEK")),
            "metadata",
            Map.of(
                "plan",
                "gold",
                "limits",
                Map.of("a", 1.0, "b", 2.5, "c", 3.0),
                "tags",
                List.of("x", true, ""))));
  }

  @Test
  void headersAndMetadataAreOffByDefault() {
    assertThat(ask(descriptor("metadata", "off")).fields().keySet()).containsExactly(1, 2);
  }

  @Test
  void longAnswersAreComplete() {
    Protobuf[] many = new Protobuf[500];
    for (int i = 0; i < many.length; i++) {
      many[i] = descriptor("metadata", "many " + i + "é".repeat(200));
    }
    Response response = askGuarded(many);
    assertThat(response.statuses()).hasSize(many.length);
    Map<String, Object> struct =
        RlsMessages.struct((byte[]) response.fields().get(6).get(0));
    assertThat((List<?>) struct.get("descriptors"))
        .hasSize(many.length)
        .last()
        .asString()
        .contains("many 499" + "é".repeat(200));
  }
}
