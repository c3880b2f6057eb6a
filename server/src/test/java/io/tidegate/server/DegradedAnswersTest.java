package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The {@code degraded} field: present if and only if Redis could not be read when it had to be. */
@Timeout(120)
class DegradedAnswersTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private RedisServer redis;
  private Node node;

  @BeforeEach
  void start() {
    redis = RedisServer.start();
    node = Node.start("--redis-uri=" + redis.uri());
  }

  @AfterEach
  void stop() {
    node.close();
    redis.close();
  }

  @Test
  void answersAreDegradedWhileRedisIsUnavailableOnly() {
    awaitSure("before");
    redis.pause();

    assertThat(limit("silent").data())
        .containsEntry("success", true)
        .containsEntry("degraded", true);
    Map<String, Object> batch = multiLimit("silent 1", "silent 2").data();
    assertThat((List<?>) batch.get("limits"))
        .hasSize(2)
        .allSatisfy(
            entry -> assertThat((Map<?, ?>) entry).extracting("degraded").isEqualTo(true));
    assertThat(batch).doesNotContainKey("degraded");
    assertThat(degradedDecisions("degraded tests")).isGreaterThanOrEqualTo(3);
    assertThat(degradedDecisions("other")).isZero();

    redis.resume();
    awaitSure("after");
  }

  @Test
  void aDenialFromOwnCountsIsNotDegraded() {
    redis.kill();

    assertThat(limit("denied", "limit", 1).data()).containsEntry("degraded", true);
    assertThat(limit("denied", "limit", 1).data())
        .containsEntry("success", false)
        .doesNotContainKey("degraded");
  }

  /** Retries, since a read of a healthy Redis can time out on a busy machine. */
  private void awaitSure(String identifier) {
    int[] attempt = {0};
    Waiting.untilPassed(LONG, () -> {
      String fresh = identifier + attempt[0]++;
      assertThat(limit(fresh).data().keySet())
          .containsExactly("success", "limit", "remaining", "reset");
    });
  }

  private double degradedDecisions(String namespace) {
    String name =
        "tidegate_ratelimit_degraded_decisions_total{namespace=\"%s\",workspace_id=\"%s\"} "
            .formatted(namespace, namespace.equals("other") ? "other" : node.workspaceId());
    String scrape =
        Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build()).body();
    return scrape
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name + " in\n" + scrape));
  }

  private Answer limit(String identifier, Object... others) {
    return node.ask("limit", Json.write(request(identifier, others)));
  }

  private Answer multiLimit(String... identifiers) {
    return node.ask(
        "multiLimit",
        Json.write(List.of(identifiers).stream().map(name -> request(name)).toList()));
  }

  private static Map<String, Object> request(String identifier, Object... others) {
    Map<String, Object> request = Json.map(
        "namespace",
        "degraded tests",
        "identifier",
        identifier,
        "limit",
        10,
        "duration",
        3_600_000);
    request.putAll(Json.map(others));
    return request;
  }
}
