package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidegate.server.observe.AlertRules;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metrics, dashboard and alerts with a real Prometheus. Skipped if it is not installed. */
@Timeout(300)
class PrometheusTest {

  private static final Duration LONG = Duration.ofSeconds(90);

  @TempDir
  private static Path directory;

  private static RedisServer redis;
  private static MariaDbServer database;
  private static Node node;

  @BeforeAll
  static void start() {
    for (String program : List.of("prometheus", "promtool")) {
      assumeTrue(Programs.isInstalled(program), "skipped: " + program + " is not on the PATH");
    }
    redis = RedisServer.start();
    database = MariaDbServer.start();
    node = Node.start(
        "--region=eu",
        "--node=node-1",
        "--redis-uri=" + redis.uri(),
        "--jdbc-url=" + database.jdbcUrl());
    use();
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
      database.close();
      redis.close();
    }
  }

  @Test
  void promtoolAcceptsTheMetrics() throws Exception {
    Path metrics = directory.resolve("metrics.txt");
    Files.writeString(
        metrics,
        Node.send(HttpRequest.newBuilder(node.adminUri("/metrics")).build()).body());

    Programs.run(
        LONG, directory, Map.of(), "sh", "-c", "promtool check metrics < " + metrics.getFileName());
  }

  @Test
  void promtoolAcceptsTheAlerts() throws Exception {
    promtool("check", "rules", AlertRules.FILE.toAbsolutePath().normalize().toString());
  }

  @Test
  void alertsFireAsTheirTestsExpect() throws Exception {
    promtool(
        "test",
        "rules",
        Path.of("src/test/prometheus/alerts_test.yaml").toAbsolutePath().toString());
    String cases = Files.readString(Path.of("src/test/prometheus/alerts_test.yaml"));
    assertThat(AlertRules.read().keySet()).allMatch(alert -> cases.contains("alertname: " + alert));
  }

  @Test
  void everyQueryOfDashboardAndAlertsIsAnswered() throws Exception {
    try (Prometheus prometheus = Prometheus.start(directory, node.adminUri(""), AlertRules.FILE)) {
      System.gc(); // metrics of the collector exist after the first collection
      for (String query : boardQueries()) {
        if (!query.contains("status=~\"5..\"")) {
          awaitSamples(prometheus, query);
        }
      }
      assertThat(prometheus.query("tidegate_build_info{region=\"eu\",node=\"node-1\"}"))
          .hasSize(1);
      for (Map.Entry<String, String> alert : AlertRules.read().entrySet()) {
        if (!alert.getKey().equals("TidegateDegradedDecisions")) { // a busy machine may cause it
          Waiting.untilPassed(
              LONG,
              () -> assertThat(prometheus.query(alert.getValue()))
                  .as(alert.getKey())
                  .isEmpty());
        }
      }

      redis.kill();
      database.kill();
      Waiting.untilPassed(LONG, () -> assertThat(edit().status()).isGreaterThanOrEqualTo(500));
      for (String query : boardQueries()) {
        awaitSamples(prometheus, query);
      }
      for (String alert :
          List.of("TidegateOriginUnavailable", "TidegateGlobalCountersUnavailable")) {
        awaitState(prometheus, alert, "pending");
        assertThat(prometheus.query(AlertRules.read().get(alert)).toString())
            .contains("region=eu", "node=node-1");
      }
      assertThat(prometheus.rules())
          .hasSameSizeAs(AlertRules.read().keySet())
          .allSatisfy(rule -> assertThat(((Map<?, ?>) rule).get("health")).isEqualTo("ok"));
      redis.restart();
      database.restart();
    }
  }

  private static void awaitSamples(Prometheus prometheus, String query) {
    Waiting.untilPassed(LONG, () -> {
      use();
      assertThat(prometheus.query(query)).as(query).isNotEmpty();
    });
  }

  private static void awaitState(Prometheus prometheus, String alert, String state) {
    Waiting.untilPassed(
        LONG,
        () -> assertThat(prometheus.rules()).as("%s to be %s", alert, state).anySatisfy(rule -> {
          assertThat(((Map<?, ?>) rule).get("name")).isEqualTo(alert);
          assertThat(((Map<?, ?>) rule).get("state")).isEqualTo(state);
        }));
  }

  private void promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Programs.run(LONG, directory, Map.of(), command.toArray(String[]::new));
  }

  /** Sends requests that are allowed, denied and invalid. */
  private static void use() {
    String entry = Json.object(
        "namespace", "prometheus", "identifier", "user_1", "limit", 1, "duration", 60_000);
    node.ask("limit", entry);
    node.ask("limit", entry);
    node.ask("multiLimit", "[" + entry + "]");
    node.ask("limit", "{}");
  }

  private static Answer edit() {
    return node.ask(
        "setOverride",
        Json.object(
            "namespace", "prometheus", "identifier", "user_2", "limit", 1, "duration", 60_000));
  }

  private static List<String> boardQueries() throws IOException {
    List<String> queries = new ArrayList<>();
    collect(Json.parse(Files.readString(Path.of("..", "docs", "grafana.json"))), queries);
    assertThat(queries).hasSizeGreaterThan(40);
    return queries;
  }

  private static void collect(Object value, List<String> queries) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, inner) -> {
        if (key.equals("expr")) {
          queries.add(((String) inner)
              .replace("$__rate_interval", "30s")
              .replaceAll("\\$(job|region|instance|workspace)", ".*"));
        } else {
          collect(inner, queries);
        }
      });
    } else if (value instanceof List<?> list) {
      list.forEach(inner -> collect(inner, queries));
    }
  }
}
