package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Log lines of single requests: failed ones, and denied ones if log-denials is on. */
@Timeout(180)
class RequestLogTest {

  /** Would start a new line and end the value of a field, if it were not escaped. */
  private static final String HOSTILE = "evil\n2030-01-01T00:00:00.000Z ERROR forged \"\\\u202e";

  /** The bound in docs/operating.md. */
  private static final int LINES_PER_SECOND = 10;

  @TempDir
  Path data;

  @Test
  void failedEditIsLoggedWithItsRequestId() {
    try (MariaDbServer database = MariaDbServer.start();
        NodeProcess node = NodeProcess.launch("--region=eu", "--jdbc-url=" + database.jdbcUrl())
            .awaitReady()) {
      String key = node.key();
      assertThat(ask(node, key, "limit", request("user", 1)).status()).isEqualTo(200);
      database.kill();
      Answer answer = ask(node, key, "setOverride", request("user", 7));

      assertThat(answer.status()).isEqualTo(500);
      String line = lineOf(node, id(answer));
      assertThat(line)
          .contains(" WARN ")
          .contains("path=/v2/ratelimit.setOverride", "status=500", "reason=");
    }
  }

  @Test
  void failedCreationOfANamespaceIsLoggedWithTheRequestId() {
    try (MariaDbServer database = MariaDbServer.start();
        NodeProcess node = NodeProcess.launch("--region=eu", "--jdbc-url=" + database.jdbcUrl())
            .awaitReady()) {
      String key = node.key();
      database.pause();
      Answer answer = ask(node, key, "limit", request("anna", 1));
      database.resume();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(lineOf(node, id(answer))).contains(" WARN ", "namespaces=\"log tests\"");
    }
  }

  @Test
  void everyErrorIsLoggedAtDebugLevel() {
    try (NodeProcess node = start("--log-level=debug")) {
      Answer answer = ask(node, "no key", "limit", request("anna", 1));

      assertThat(answer.status()).isEqualTo(401);
      assertThat(lineOf(node, id(answer))).contains(" DEBUG ", "status=401");
    }
  }

  @Test
  void denialsAreNotLoggedByDefault() {
    try (NodeProcess node = start()) {
      String key = node.key();
      assertThat(deny(node, key, NodeProcess.PERSON).status()).isEqualTo(200);
      // close() searches the log for the identifier.
    }
  }

  @Test
  void denialIsLoggedWithItsCounts() {
    NodeProcess node = start("--log-denials=sampled", "--log-format=json");
    try {
      String key = node.key();
      ask(node, key, "limit", request(HOSTILE, 3));
      Answer answer = ask(node, key, "limit", with(request(HOSTILE, 3), "cost", 3));
      String workspace = (String) denial(node, id(answer)).get("workspace");

      assertThat(answer.data()).containsEntry("success", false);
      assertThat(workspace).startsWith("ws_");
      assertThat(denial(node, id(answer)))
          .containsEntry("message", "denied")
          .containsEntry("level", "INFO")
          .containsEntry("namespace", "log tests")
          .containsEntry("identifier", HOSTILE)
          .containsEntry("limit", 3L)
          .containsEntry("windowMillis", 2_592_000_000L)
          .containsEntry("effectiveCount", 4L)
          .containsEntry("cost", 3L)
          .containsEntry("degraded", false)
          .containsEntry("retryAfterMillis", answer.data().get("retryAfter"))
          .doesNotContainKey("suppressed");
    } finally {
      node.kill();
    }
  }

  @Test
  void denialWithoutARetryHasNoRetryAfter() {
    NodeProcess node = start("--log-denials=sampled", "--log-format=json");
    try {
      Answer answer = deny(node, node.key(), "never");

      assertThat(denial(node, id(answer))).doesNotContainKey("retryAfterMillis");
    } finally {
      node.kill();
    }
  }

  @Test
  void eachDeniedEntryOfABatchIsLogged() {
    NodeProcess node = start("--log-denials=sampled", "--log-format=json");
    try {
      Map<String, Object> first = with(request("first", 1), "cost", 2);
      Map<String, Object> third = with(request("third", 1), "cost", 2);
      Answer answer =
          ask(node, node.key(), "multiLimit", List.of(first, request("second", 1), third));

      String last = id(deny(node, node.key(), "last"));
      denial(node, last);
      assertThat(lines(node))
          .filteredOn(line -> id(answer).equals(line.get("requestId")))
          .extracting(line -> line.get("identifier"))
          .containsExactly("first", "third");
    } finally {
      node.kill();
    }
  }

  @Test
  void denialsBeyondTheBoundAreCounted() {
    NodeProcess node = start("--log-denials=sampled", "--log-format=json");
    try {
      String key = node.key();
      long began = System.nanoTime();
      int denials = 0;
      for (; denials < 300; denials++) {
        deny(node, key, "flood");
      }
      String last;
      do { // until the budget of a new second allows a line
        last = id(deny(node, key, "flood"));
        denials++;
      } while (!isLogged(node, last));
      long seconds =
          (System.nanoTime() - began) / 1_000_000_000 + 2; // the first and last second are partial

      List<Map<String, Object>> lines = lines(node).stream()
          .filter(line -> "denied".equals(line.get("message")))
          .toList();
      long suppressed = lines.stream()
          .mapToLong(line -> (Long) line.getOrDefault("suppressed", 0L))
          .sum();
      assertThat(lines.size() + suppressed).isEqualTo(denials);
      assertThat((long) lines.size()).isLessThanOrEqualTo(LINES_PER_SECOND * seconds);
    } finally {
      node.kill();
    }
  }

  private NodeProcess start(String... flags) {
    List<String> all = new ArrayList<>(List.of("--data=" + data));
    all.addAll(List.of(flags));
    return NodeProcess.start(all.toArray(String[]::new));
  }

  /** A request whose cost exceeds the limit. */
  private static Answer deny(NodeProcess node, String key, String identifier) {
    return ask(node, key, "limit", with(request(identifier, 1), "cost", 2));
  }

  private static Map<String, Object> request(String identifier, long limit) {
    return Json.map(
        "namespace",
        "log tests",
        "identifier",
        identifier,
        "limit",
        limit,
        "duration",
        2_592_000_000L);
  }

  private static Map<String, Object> with(Map<String, Object> request, String name, long value) {
    request.put(name, value);
    return request;
  }

  private static Answer ask(NodeProcess node, String key, String route, Object body) {
    return Answer.of(Node.send(HttpRequest.newBuilder(node.uri("/v2/ratelimit." + route))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
        .build()));
  }

  private static String id(Answer answer) {
    return (String) ((Map<?, ?>) answer.body().get("meta")).get("requestId");
  }

  private static String lineOf(NodeProcess node, String id) {
    node.await("a line with " + id, () -> node.err().contains("requestId=" + id));
    return node.err().lines().filter(line -> line.contains(id)).findFirst().orElseThrow();
  }

  private static Map<String, Object> denial(NodeProcess node, String id) {
    node.await("a denial with " + id, () -> find(node, id) != null);
    return find(node, id);
  }

  /** Waits for lines: they are written before the response, but read from the process later. */
  private static boolean isLogged(NodeProcess node, String id) {
    NodeProcess.pause(java.time.Duration.ofMillis(50));
    return find(node, id) != null;
  }

  private static @Nullable Map<String, Object> find(NodeProcess node, String id) {
    return lines(node).stream()
        .filter(line -> id.equals(line.get("requestId")))
        .findFirst()
        .orElse(null);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> lines(NodeProcess node) {
    return node.err()
        .lines()
        .map(line -> (Map<String, Object>) Json.parse(line))
        .toList();
  }
}
