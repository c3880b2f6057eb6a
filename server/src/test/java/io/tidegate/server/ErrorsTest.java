package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.NewRootKey;
import io.tidegate.testkit.Waiting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Error answers: their content, their form, and which of several errors is reported. */
class ErrorsTest {

  private static final Duration CATALOG_DELAY_BOUND = Duration.ofSeconds(20);

  private static final String BODY =
      Json.object("namespace", "errors", "identifier", "x", "limit", 1_000_000, "duration", 60_000);

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
    assertThat(node.ask("limit", BODY).status()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Answer limit(String body, String... headers) {
    return Answer.of(node.post("/v2/ratelimit.limit", body, headers));
  }

  private static Answer send(String method, String path, BodyPublisher body, String... headers) {
    return Answer.of(Node.send(HttpRequest.newBuilder(node.uri(path))
        .method(method, body)
        .headers(headers)
        .build()));
  }

  private static void assertError(
      Answer answer, int status, String title, String kind, String detail) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.body().keySet()).containsExactly("meta", "error");
    assertThat(answer.error())
        .containsEntry("title", title)
        .containsEntry("detail", detail)
        .containsEntry("status", (long) status)
        .containsEntry("type", "https://unkey.com/docs/errors/" + kind);
    if (status == 400) {
      assertThat(answer.error().keySet())
          .containsExactly("title", "detail", "status", "type", "errors");
    } else {
      assertThat(answer.error().keySet()).containsExactly("title", "detail", "status", "type");
    }
  }

  // Authentication

  @Test
  void rejectsAMissingKey() {
    Answer answer = limit(BODY);
    assertError(
        answer,
        400,
        "Bad Request",
        "unkey/application/invalid_input",
        "The Authorization header is missing.");
    assertThat(answer.violations())
        .isEqualTo(List.of(Json.map(
            "location", "header.Authorization",
            "message", "is required",
            "fix", "Send the header 'Authorization: Bearer ' and a root key.")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer    ", "Basic abc", "bearer abc", "abc"})
  void rejectsOtherAuthorizationSchemes(String header) {
    Answer answer = limit(BODY, "Authorization", header);
    assertError(
        answer,
        400,
        "Bad Request",
        "unkey/authentication/malformed",
        "The Authorization header must be 'Bearer' and a root key.");
    assertThat(answer.violations()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "unkey_123", "\u00e4"})
  void rejectsUnknownKeys(String key) {
    assertError(
        limit(BODY, "Authorization", "Bearer " + key),
        401,
        "Unauthorized",
        "unkey/authentication/key_not_found",
        "The root key is unknown or was revoked.");
  }

  @Test
  void rejectsKeysThatDifferInOneCharacter() {
    assertThat(node.askAs(node.key() + "x", "limit", BODY).status()).isEqualTo(401);
    assertThat(node.askAs(node.key().substring(1), "limit", BODY).status()).isEqualTo(401);
  }

  @Test
  void rejectsDisabledAndRevokedKeys() throws SQLException {
    NewRootKey key =
        node.catalog().createKey(node.workspaceId(), "test", Set.of("ratelimit.*.limit"));
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND,
        () -> assertThat(node.askAs(key.secret(), "limit", BODY).status()).isEqualTo(200));

    node.catalog().disableKey(key.key().id());
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND,
        () -> assertError(
            node.askAs(key.secret(), "limit", BODY),
            403,
            "Key is disabled",
            "unkey/authorization/key_disabled",
            "This root key is disabled."));

    node.catalog().enableKey(key.key().id());
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND,
        () -> assertThat(node.askAs(key.secret(), "limit", BODY).status()).isEqualTo(200));

    node.catalog().revokeKey(key.key().id());
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND,
        () -> assertError(
            node.askAs(key.secret(), "limit", BODY),
            401,
            "Unauthorized",
            "unkey/authentication/key_not_found",
            "The root key is unknown or was revoked."));
  }

  @Test
  void rejectsKeysOfADisabledWorkspace() throws SQLException {
    String workspace = node.catalog().createWorkspace("disabled", null).id();
    String key = node.newKeyOf(workspace, "ratelimit.*.limit", "ratelimit.*.create_namespace");
    assertThat(node.askAs(key, "limit", BODY).status()).isEqualTo(200);
    node.catalog().disableWorkspace(workspace);
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND,
        () -> assertError(
            node.askAs(key, "limit", BODY),
            403,
            "Workspace is disabled",
            "unkey/authorization/workspace_disabled",
            "The workspace of this root key is disabled."));
  }

  // Permissions

  @Test
  void rejectsLimitsWithoutPermission() throws SQLException {
    String id =
        node.catalog().createNamespace(node.workspaceId(), "errors", "test").id();
    String key = node.newKey(
        "ratelimit.*.create_namespace", "ratelimit.*.set_override", "ratelimit.rlns_other.limit");
    assertError(
        node.askAs(key, "limit", BODY),
        403,
        "Insufficient Permissions",
        "unkey/authorization/insufficient_permissions",
        "Missing one of these permissions: 'ratelimit.*.limit' or 'ratelimit." + id + ".limit'");
    assertThat(
            node.askAs(node.newKey("ratelimit." + id + ".limit"), "limit", BODY).status())
        .isEqualTo(200);
  }

  @Test
  void createsNoNamespaceWithoutPermission() throws SQLException {
    String body = BODY.replace("errors", "never made");
    assertError(
        node.askAs(node.newKey("ratelimit.*.limit"), "limit", body),
        403,
        "Insufficient Permissions",
        "unkey/authorization/insufficient_permissions",
        "Missing permission: 'ratelimit.*.create_namespace'");
    assertError(
        node.askAs(node.newKey("ratelimit.*.create_namespace"), "limit", body),
        403,
        "Insufficient Permissions",
        "unkey/authorization/insufficient_permissions",
        "Missing permission: 'ratelimit.*.limit'");
    assertThat(node.catalog().changesSince(0).namespaces())
        .noneMatch(namespace -> namespace.name().equals("never made"));
  }

  @Test
  void aDeletedNamespaceIsGoneAndItsNameStaysReserved() throws SQLException {
    String body = BODY.replace("errors", "deleted");
    node.ask("limit", body);
    String id =
        node.catalog().createNamespace(node.workspaceId(), "deleted", "test").id();
    node.catalog().deleteNamespace(id, "test");
    String stranger =
        node.newKey("ratelimit.rlns_other.limit"); // returns when the node has read the deletion

    for (String name : List.of("deleted", id)) {
      String named = BODY.replace("errors", name);
      assertGone(node.ask("limit", named));
      assertGone(node.ask("multiLimit", "[" + BODY + "," + named + "]"));
    }
    assertGone(node.askAs(stranger, "limit", body)); // checked before the permission
    assertThat(node.askAs(stranger, "multiLimit", "[" + body + "]").status())
        .as("checked after the permission in batches")
        .isEqualTo(403);

    node.catalog().restoreNamespace(id, "test");
    Waiting.untilPassed(
        CATALOG_DELAY_BOUND, () -> assertThat(node.ask("limit", body).status()).isEqualTo(200));
  }

  private static void assertGone(Answer answer) {
    assertError(
        answer,
        410,
        "Resource Gone",
        "unkey/data/ratelimit_namespace_gone",
        "This namespace has been deleted. Contact support to restore.");
  }

  // Order

  @Test
  void theBodyIsCheckedBeforeTheKey() {
    for (String[] headers :
        new String[][] {{}, {"Authorization", "Basic abc"}, {"Authorization", "Bearer nobody"}}) {
      Answer answer = limit("{}", headers);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.error())
          .containsEntry(
              "detail", "POST request body for '/v2/ratelimit.limit' failed to validate schema");
    }
  }

  // The body

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "deflate"})
  void rejectsCompressedBodies(String encoding) {
    Answer answer = limit(BODY, "Content-Encoding", encoding);
    assertError(
        answer,
        400,
        "Bad Request",
        "user/bad_request/request_body_unreadable",
        "The body must not be compressed.");
    assertThat(answer.violations()).isEmpty();
  }

  @Test
  void refusesWhatIsNotUtf8() {
    byte[] latin = BODY.replace("\"x\"", "\"\u00e4\"").getBytes(StandardCharsets.ISO_8859_1);
    assertError(
        send(
            "POST",
            "/v2/ratelimit.limit",
            BodyPublishers.ofByteArray(latin),
            "Authorization",
            "Bearer " + node.key()),
        400,
        "Bad Request",
        "user/bad_request/request_body_unreadable",
        "The body must be text in UTF-8.");
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, 200",
    "application/json; charset=utf-8, 200",
    "Application/JSON, 200",
    "text/plain, 400",
    "application/x-www-form-urlencoded, 400",
  })
  void acceptsJsonOnly(String type, int status) {
    Answer answer = send(
        "POST",
        "/v2/ratelimit.limit",
        BodyPublishers.ofString(BODY),
        "Authorization",
        "Bearer " + node.key(),
        "Content-Type",
        type);
    assertThat(answer.status()).isEqualTo(status);
    if (status == 400) {
      assertThat(answer.kind()).isEqualTo("invalid_input");
      assertThat(answer.violations().get(0)).containsEntry("location", "header.Content-Type");
    }
  }

  @Test
  void aMissingContentTypeMeansJson() {
    assertThat(send(
                "POST",
                "/v2/ratelimit.limit",
                BodyPublishers.ofString(BODY),
                "Authorization",
                "Bearer " + node.key())
            .status())
        .isEqualTo(200);
  }

  @Test
  void acceptsBodiesUpToTenMebibytes() {
    String longest = BODY + " ".repeat(10_485_760 - BODY.length());
    assertThat(node.ask("limit", longest).status()).isEqualTo(200);

    Answer declared = node.ask("limit", longest + " ");
    Answer chunked = send(
        "POST",
        "/v2/ratelimit.limit",
        BodyPublishers.ofInputStream(
            () -> new ByteArrayInputStream((longest + " ").getBytes(StandardCharsets.UTF_8))),
        "Authorization",
        "Bearer nobody");
    for (Answer answer : List.of(declared, chunked)) {
      assertError(
          answer,
          413,
          "Request Entity Too Large",
          "user/bad_request/request_body_too_large",
          "The body must have at most 10485760 bytes.");
    }
  }

  @Test
  void endsRequestsThatTakeTooLong() throws IOException {
    try (Node impatient = Node.start("--request-timeout=200ms");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), impatient.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write("POST /v2/ratelimit.limit HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(
          socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII); // to its end
      assertThat(answer)
          .startsWith("HTTP/1.1 408 ")
          .containsIgnoringCase("\r\nconnection: close\r\n")
          .contains("\"title\":\"Request Timeout\"")
          .contains("\"detail\":\"The request took longer than the request timeout.\"")
          .contains("https://unkey.com/docs/errors/user/bad_request/request_timeout\"");
    }
  }

  // Routes

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v2/ratelimit",
        "/v2/ratelimit.limit/",
        "/v2/RateLimit.limit",
        "/v1/ratelimits.limit",
        "/v2/keys.verifyKey",
        "/metrics"
      })
  void rejectsUnknownPaths(String path) {
    Answer answer = Answer.of(node.post(path, BODY));
    assertError(
        answer, 404, "Not Found", "user/bad_request/route_not_found", "There is no such route.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit",
        "multiLimit",
        "setOverride",
        "getOverride",
        "listOverrides",
        "deleteOverride"
      })
  void routesAcceptPostOnly(String route) {
    for (String method : List.of("GET", "PUT", "DELETE", "PATCH", "OPTIONS")) {
      Answer answer = send(
          method,
          "/v2/ratelimit." + route,
          BodyPublishers.ofString(BODY),
          "Authorization",
          "Bearer " + node.key());
      assertError(
          answer,
          405,
          "Method Not Allowed",
          "user/bad_request/method_not_allowed",
          "This route accepts POST only.");
      assertThat(answer.header("Allow")).isEqualTo("POST");
    }
  }

  @Test
  void ignoresTheQuery() {
    assertThat(Answer.of(node.post("/v2/ratelimit.limit?a=b", BODY)).status()).isEqualTo(200);
  }

  // Content type

  @ParameterizedTest
  @CsvSource({
    ", application/json",
    "application/json, application/json",
    "text/html, application/json",
    "application/problem+json, application/problem+json",
    "'application/json, application/problem+json;q=0.5', application/problem+json",
    "application/*, application/problem+json",
    "*/*, application/problem+json",
    "'text/html, */*;q=0.1', application/problem+json",
  })
  void isAProblemToWhoAcceptsThat(@Nullable String accept, String type) {
    String[] headers = accept == null ? new String[0] : new String[] {"Accept", accept};
    assertThat(node.askAs("nobody", "limit", BODY, headers).contentType()).isEqualTo(type);
    assertThat(node.askAs(node.key(), "limit", "{}", headers).contentType())
        .as("an invalid body")
        .isEqualTo("application/json");
    assertThat(node.askAs(node.key(), "limit", BODY, headers).contentType())
        .as("success")
        .isEqualTo("application/json");
  }
}
