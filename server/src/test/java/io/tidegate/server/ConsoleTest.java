package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes of the console of one node. */
@Timeout(120)
class ConsoleTest {

  private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202e\n";
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void stateShowsTheNodeItsNamespacesAndDenials() {
    for (int i = 0; i < 7; i++) {
      limit("state", HOSTILE, 5);
    }
    JsonObject state = state();
    JsonObject self = state.getJsonArray("nodes").getJsonObject(0);
    assertThat(self.getString("state")).isEqualTo("ok");
    assertThat(self.getString("name")).isEqualTo(state.getJsonObject("node").getString("name"));
    assertThat(state.getJsonObject("fleet").getString("status")).isEqualTo("alone");
    JsonObject namespace = namespace(state, "state");
    JsonObject region = namespace.getJsonArray("regions").getJsonObject(0);
    JsonObject busiest = region.getJsonArray("busiest").getJsonObject(0);
    assertThat(busiest.getString("identifier")).isEqualTo(HOSTILE);
    assertThat(busiest.getLong("perMinute")).isBetween(1L, 7L); // a minute may have begun
    assertThat(region.getJsonArray("mostDenied").getJsonObject(0).getLong("limit"))
        .isEqualTo(5);
    assertThat(state.getJsonArray("denials").stream()
            .map(JsonObject.class::cast)
            .filter(denial -> denial.getString("namespace").equals("state")))
        .isNotEmpty();
  }

  @Test
  void inspectShowsCountsAndWhenTheyFreeUp() {
    for (int i = 0; i < 4; i++) {
      limit("inspect", "user", 3);
    }
    JsonObject found = inspect("inspect", "user");
    JsonObject window = found.getJsonArray("windows").getJsonObject(0);
    assertThat(window.getLong("limit")).isEqualTo(3);
    assertThat(window.getString("limitSource")).isEqualTo("recent");
    assertThat(window.getLong("effective")).isEqualTo(3);
    assertThat(window.getBoolean("allowed")).isFalse();
    assertThat(window.getLong("retryAfterMillis")).isBetween(1L, 2 * 86_400_000L);
    assertThat(window.getLong("strictUntil")).isGreaterThan(found.getLong("time"));
    JsonObject current = window.getJsonArray("cells").getJsonObject(0);
    assertThat(current.getLong("own")).isEqualTo(3);
    assertThat(window.getJsonObject("origin").getString("status")).isEqualTo("unused");
  }

  @Test
  void inspectChangesNothing() {
    limit("untouched", "user", 10);
    for (int i = 0; i < 5; i++) {
      inspect("untouched", "user");
      inspect("untouched", "unknown");
    }
    assertThat(inspect("untouched", "user")
            .getJsonArray("windows")
            .getJsonObject(0)
            .getLong("effective"))
        .isEqualTo(1);
    JsonObject unknown = inspect("untouched", "unknown").getJsonArray("windows").getJsonObject(0);
    assertThat(unknown.getBoolean("inMemory")).isFalse();
    assertThat(unknown.getLong("remaining")).isEqualTo(10);
  }

  @Test
  void overrideReplacesTheLimit() {
    limit("overridden", "user_1", 10);
    assertThat(post(
                "overrides.set",
                "{\"namespace\":\"overridden\",\"identifier\":\"user_*\",\"limit\":2,\"windowMillis\":86400000}")
            .statusCode())
        .isEqualTo(200);
    JsonObject found = inspect("overridden", "user_1");
    assertThat(found.getJsonObject("override").getString("identifier")).isEqualTo("user_*");
    assertThat(found.getJsonArray("windows").getJsonObject(0).getString("limitSource"))
        .isEqualTo("override");
    JsonArray listed =
        json(post("overrides.list", "{\"namespace\":\"overridden\"}")).getJsonArray("overrides");
    assertThat(listed.getJsonObject(0).getLong("limit")).isEqualTo(2);
    assertThat(post("overrides.delete", "{\"namespace\":\"overridden\",\"identifier\":\"user_*\"}")
            .statusCode())
        .isEqualTo(200);
    assertThat(inspect("overridden", "user_1").getValue("override")).isNull();
  }

  @Test
  void tryItMakesARealDecision() {
    String body =
        "{\"namespace\":\"try\",\"identifier\":\"user\",\"limit\":1,\"windowMillis\":86400000}";
    assertThat(json(post("limit", body)).getBoolean("allowed")).isTrue();
    JsonObject denied = json(post("limit", body));
    assertThat(denied.getBoolean("allowed")).isFalse();
    assertThat(denied.getLong("retryAfterMillis")).isPositive();
  }

  @Test
  void editsAndDecisionsNeedARootKey() {
    String body =
        "{\"namespace\":\"try\",\"identifier\":\"user\",\"limit\":1,\"windowMillis\":86400000}";
    HttpResponse<String> without = post("limit", body, "X-Nothing", "");
    assertThat(without.statusCode()).isEqualTo(403);
    assertThat(without.body()).contains("X-Root-Key");
    assertThat(post("limit", body, "X-Root-Key", "tg_wrong").statusCode()).isEqualTo(403);
    String readOnly = node.newKey("ratelimit.*.read_override");
    assertThat(post("overrides.set", body, "X-Root-Key", readOnly).statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      inspect        | [1]                                                | the body must be a JSON object
      inspect        | {"namespace":"a"}                                  | identifier is required
      inspect        | {"namespace":"a","identifier":1}                   | identifier must be a text: 1
      inspect        | {"namespace":"a","identifier":"b","x":1}           | unknown field: x
      inspect        | {"namespace":"a","identifier":"b","windowMillis":5} | 5
      inspect        | {"namespace":"a","identifier":"b","limit":1.5}     | limit must be a whole number: 1.5
      inspect        | {"workspace":"w","namespace":"a","identifier":"b"} | no workspace or rule domain has the id w
      overrides.list | {"namespace":"missing"}                            | no namespace has the name or id missing
      limit          | {"namespace":"a","identifier":"b","limit":-1,"windowMillis":60000} | -1
      limit          | {"namespace":"a","identifier":"\\ud800","limit":1,"windowMillis":60000} | half a surrogate pair
      """)
  void badInputIsRejectedAndNamed(String route, String body, String message) {
    HttpResponse<String> answer = post(route, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).getString("error")).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "console.js", "console.css"})
  void filesOfThePageAreProtected(String file) {
    HttpResponse<String> answer =
        Node.send(HttpRequest.newBuilder(node.adminUri("/console/" + file)).build());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/Console.class",
        "/console/../Server.class",
        "/console/%2e%2e/openapi.yaml",
        "/console/x.js",
        "/console//index.html"
      })
  void otherFilesAreNotServed(String path) {
    HttpResponse<String> answer =
        Node.send(HttpRequest.newBuilder(node.adminUri(path)).build());
    assertThat(answer.statusCode()).isEqualTo(404);
  }

  @Test
  void requestsOfOtherSitesAreRejected() throws IOException {
    assertThat(raw("GET /console/state HTTP/1.1\r\nHost: evil.example\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(raw(
            "GET /console/state HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(raw("GET /console/state HTTP/1.1\r\nHost: localhost\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void bodiesMustBeJsonAndShort() throws IOException {
    String start = "POST /console/inspect HTTP/1.1\r\nHost: localhost\r\n";
    assertThat(raw(start + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"))
        .startsWith("HTTP/1.1 415");
    assertThat(raw(start + "Content-Type: application/json\r\nContent-Length: 99999\r\n"))
        .startsWith("HTTP/1.1 413");
    assertThat(raw(start + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"))
        .startsWith("HTTP/1.1 413");
    assertThat(raw("PUT /console/inspect HTTP/1.1\r\nHost: localhost\r\n"))
        .startsWith("HTTP/1.1 405");
  }

  /** A body may be endless: it must not be read after an answer, nor without one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /console/ HTTP/1.1\r\nHost: localhost",
        "GET /console/state HTTP/1.1\r\nHost: localhost",
        "GET /console/events HTTP/1.1\r\nHost: localhost",
        "POST /console/state HTTP/1.1\r\nHost: localhost",
        "POST /console/x HTTP/1.1\r\nHost: localhost",
        "POST /console/inspect HTTP/1.1\r\nHost: evil.example",
        "POST /console/inspect HTTP/1.1\r\nHost: localhost"
      })
  void endlessBodiesAreCutOff(String start) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), node.adminUri("/").getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write((start + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII));
      byte[] chunk =
          ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      long sent = 0;
      try {
        while (sent < 200_000_000) {
          out.write(chunk);
          sent += chunk.length;
        }
      } catch (IOException e) {
        return; // the node has closed the connection
      }
      assertThat(sent).as("bytes that the node has read").isZero();
    }
  }

  @Test
  void slowBodiesAreCutOff() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), node.adminUri("/").getPort())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      socket
          .getOutputStream()
          .write(("POST /console/inspect HTTP/1.1\r\nHost: localhost\r\n"
                  + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
              .getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void limitOfAnotherIdentifierIsNotShown() {
    limit("plans", "free", 2);
    limit("plans", "free", 2);
    limit("plans", "free", 2);
    limit("plans", "paid", 5_000);
    JsonObject window = inspect("plans", "free").getJsonArray("windows").getJsonObject(0);
    assertThat(window.getLong("limit")).isEqualTo(2);
    assertThat(window.getBoolean("allowed")).isFalse();
    assertThat(inspect("plans", "new").getJsonArray("windows").getJsonObject(0).getLong("limit"))
        .isNull();
  }

  @Test
  void eventsArriveEverySecondAndTheirClientsAreBounded() throws IOException {
    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        clients.add(watch());
      }
      BufferedReader first = reader(clients.get(0));
      assertThat(first.readLine()).isEqualTo("HTTP/1.1 200 OK");
      int events = 0;
      while (events < 3) {
        events += first.readLine().startsWith("data: {") ? 1 : 0;
      }
      for (Socket client : clients.subList(1, 20)) {
        assertThat(reader(client).readLine()).isEqualTo("HTTP/1.1 200 OK");
      }
      try (Socket tooMany = watch()) {
        assertThat(reader(tooMany).readLine()).startsWith("HTTP/1.1 503");
      }
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
    Waiting.untilPassed(BOUND, () -> {
      try (Socket again = watch()) {
        assertThat(reader(again).readLine()).isEqualTo("HTTP/1.1 200 OK");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void tokenIsRequiredWhereItIsConfigured() {
    try (Node guarded = Node.start("--admin-token=0123456789abcdefghij")) {
      HttpRequest.Builder request = HttpRequest.newBuilder(guarded.adminUri("/console/state"));
      assertThat(Node.send(request.build()).statusCode()).isEqualTo(401);
      assertThat(Node.send(
                  request.header("Authorization", "Bearer 0123456789abcdefghij").build())
              .statusCode())
          .isEqualTo(200);
      assertThat(Node.send(HttpRequest.newBuilder(guarded.adminUri("/ready")).build())
              .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void portForOtherMachinesHasNoDataWithoutAToken() {
    try (Node open = Node.start("--admin-host=0.0.0.0")) {
      HttpResponse<String> answer =
          Node.send(HttpRequest.newBuilder(open.adminUri("/console/state")).build());
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("admin-token");
    }
  }

  @Test
  void consoleCanBeSwitchedOff() {
    try (Node without = Node.start("--console=false")) {
      assertThat(Node.send(HttpRequest.newBuilder(without.adminUri("/console/")).build())
              .statusCode())
          .isEqualTo(404);
    }
  }

  private static void limit(String namespace, String identifier, long limit) {
    assertThat(node.ask(
                "limit",
                Json.object(
                    "namespace",
                    namespace,
                    "identifier",
                    identifier,
                    "limit",
                    limit,
                    "duration",
                    86_400_000))
            .status())
        .isEqualTo(200);
  }

  private static JsonObject state() {
    return json(
        Node.send(HttpRequest.newBuilder(node.adminUri("/console/state")).build()));
  }

  private static JsonObject namespace(JsonObject state, String name) {
    return state.getJsonArray("namespaces").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("namespace").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static JsonObject inspect(String namespace, String identifier) {
    return json(post(
        "inspect",
        new JsonObject()
            .put("namespace", namespace)
            .put("identifier", identifier)
            .encode()));
  }

  private static HttpResponse<String> post(String route, String body) {
    return post(route, body, "X-Root-Key", node.key());
  }

  private static HttpResponse<String> post(String route, String body, String... header) {
    return Node.send(HttpRequest.newBuilder(node.adminUri("/console/" + route))
        .header("Content-Type", "application/json")
        .headers(header)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build());
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return new JsonObject(answer.body());
  }

  private static Socket watch() throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), node.adminUri("/").getPort());
    socket.setSoTimeout((int) BOUND.toMillis());
    socket
        .getOutputStream()
        .write("GET /console/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Sends a request as it is, and returns the first line of the answer. */
  private static String raw(String request) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), node.adminUri("/").getPort())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      String whole = request.contains("\r\n\r\n") ? request : request + "\r\n";
      socket.getOutputStream().write(whole.getBytes(StandardCharsets.US_ASCII));
      return reader(socket).readLine();
    }
  }
}
