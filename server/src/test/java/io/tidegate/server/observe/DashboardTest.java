package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Grafana dashboard and the alerts in docs, checked against the metrics of a node. */
class DashboardTest {

  /** Metrics that the dashboard leaves out: none so far. */
  private static final Set<String> NOT_ON_THE_BOARD = Set.of();

  /** Labels that Prometheus adds to each metric. */
  private static final Set<String> LABELS_OF_THE_SCRAPER = Set.of("job", "instance");

  private static final Pattern SELECTOR = Pattern.compile("([a-z][a-z0-9_]*)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|!~|!=|=)\"([^\"]*)\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(by|on|group_left)\\s*\\(([^)]*)\\)");
  private static final Pattern NAME = Pattern.compile("\\b[a-z][a-z0-9_]*\\b(?!\\s*\\()");

  private static Map<String, Object> board;
  private static List<String> expressions;
  private static Map<String, String> alerts;
  private static String text;
  private static Set<String> names;

  @BeforeAll
  static void readBoardAndScrape() throws Exception {
    try (JsonParser json =
        new JsonFactory().createParser(Files.readString(Path.of("..", "docs", "grafana.json")))) {
      board = object(value(json));
    }
    expressions = new ArrayList<>();
    collectExpressions(board);
    alerts = AlertRules.read();
    text = scrapeAfterTraffic();
    names = Scrape.of(text).names();
  }

  @Test
  void canBeImported() {
    assertThat(board).containsEntry("title", "Tidegate").containsKeys("uid", "schemaVersion");
    assertThat(panels()).isNotEmpty();
    assertThat(panels()).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    assertThat(panels())
        .filteredOn(panel -> !panel.get("type").equals("row"))
        .allSatisfy(panel -> assertThat(object(panel.get("datasource")))
            .containsEntry("type", "prometheus")
            .containsEntry("uid", "${datasource}"));
  }

  @Test
  void panelsDoNotOverlap() {
    Set<String> taken = new TreeSet<>();
    for (Map<String, Object> panel : panels()) {
      Map<String, Object> place = object(panel.get("gridPos"));
      for (int x = number(place, "x"); x < number(place, "x") + number(place, "w"); x++) {
        for (int y = number(place, "y"); y < number(place, "y") + number(place, "h"); y++) {
          assertThat(taken.add(x + "," + y))
              .as("%s at %d,%d", panel.get("title"), x, y)
              .isTrue();
          assertThat(x).isLessThan(24);
        }
      }
    }
  }

  @Test
  void everyMetricOfTheDashboardExists() {
    assertThat(metrics(expressions)).isSubsetOf(names);
  }

  @Test
  void everyMetricOfTheAlertsExists() {
    assertThat(metrics(alerts.values())).isNotEmpty().isSubsetOf(names);
  }

  @Test
  void everyMetricIsOnTheDashboard() {
    Set<String> missing = new TreeSet<>();
    for (String name : names) {
      if (name.startsWith("tidegate_")) {
        missing.add(family(name));
      }
    }
    for (String name : metrics(expressions)) {
      missing.remove(family(name));
    }

    assertThat(missing).isEqualTo(NOT_ON_THE_BOARD);
  }

  @Test
  void everyQueriedLabelExists() {
    for (String expression : boardAndAlerts()) {
      Matcher selector = SELECTOR.matcher(expression);
      while (selector.find()) {
        Matcher matcher = MATCHER.matcher(selector.group(2));
        while (matcher.find()) {
          assertLabel(selector.group(1), matcher.group(1), matcher.group(2), matcher.group(3));
        }
      }
      Matcher grouping = GROUPING.matcher(expression);
      while (grouping.find()) {
        for (String label : grouping.group(2).split(",\\s*", -1)) {
          assertThat(LABELS_OF_THE_SCRAPER.contains(label) || text.contains(label + "=\""))
              .as("%s in %s", label, expression)
              .isTrue();
        }
      }
    }
  }

  @Test
  void everyExpressionIsBalanced() {
    assertThat(boardAndAlerts()).isNotEmpty().allSatisfy(expression -> {
      assertThat(count(expression, '(')).isEqualTo(count(expression, ')'));
      assertThat(count(expression, '{')).isEqualTo(count(expression, '}'));
      assertThat(count(expression, '"') % 2).isZero();
    });
  }

  private static void assertLabel(String metric, String label, String operator, String value) {
    if (LABELS_OF_THE_SCRAPER.contains(label)) {
      return;
    }
    String sample = operator.equals("=") ? label + "=\"" + value + "\"" : label + "=\"";
    assertThat(text.lines().filter(line -> line.startsWith(metric + "{")))
        .as("%s of %s", sample, metric)
        .anyMatch(line -> line.contains(sample));
  }

  /** The metrics of a node after requests that were allowed, denied and degraded. */
  private static String scrapeAfterTraffic() throws InterruptedException {
    VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
    Health health = new Health(time);
    InMemoryOrigin origin = new InMemoryOrigin();
    try (Metrics metrics = new Metrics("test", "eu", "node-1", health);
        RateLimiter limiter = RateLimiter.builder()
            .clock(time)
            .scheduler(time)
            .observer(metrics.limiter())
            .origin(origin)
            .region("eu")
            .globalCounters(new InMemoryGlobalCounters())
            .build()) {
      metrics.bind(limiter::stats);
      health.catalogRead(1);
      metrics.http().route("/v2/ratelimit.limit").answered(200, 100_000);
      metrics.http().route("/v2/ratelimit.limit").answered(500, 100_000);
      for (int i = 0; i < 5; i++) {
        limiter.tryAcquire(LimitRequest.of("acme", "login", "user_1", Limit.perMinute(3)));
        time.advance(Duration.ofSeconds(1));
      }
      System.gc(); // its metrics exist after the first collection
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!metrics.scrape().contains("jvm_gc_pause_seconds_sum")
          && System.nanoTime() < deadline) {
        Thread.sleep(10);
      }
      return metrics.scrape();
    }
  }

  private static List<String> boardAndAlerts() {
    List<String> all = new ArrayList<>(expressions);
    all.addAll(alerts.values());
    return all;
  }

  private static Set<String> metrics(Collection<String> expressions) {
    Set<String> metrics = new TreeSet<>();
    for (String expression : expressions) {
      String bare =
          GROUPING.matcher(expression.replaceAll("\\{[^}]*}|\\[[^\\]]*]", "")).replaceAll("");
      Matcher name = NAME.matcher(bare);
      while (name.find()) {
        metrics.add(name.group());
      }
    }
    return metrics;
  }

  /** The name without the suffix of a histogram's metrics. */
  private static String family(String name) {
    return name.replaceFirst("_seconds_(bucket|count|sum)$", "_seconds");
  }

  private static void collectExpressions(Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, inner) -> {
        if (key.equals("expr")) {
          expressions.add((String) inner);
        } else {
          collectExpressions(inner);
        }
      });
    } else if (value instanceof List<?> list) {
      list.forEach(DashboardTest::collectExpressions);
    }
  }

  private static List<Map<String, Object>> panels() {
    List<Map<String, Object>> panels = new ArrayList<>();
    ((List<?>) board.get("panels")).forEach(panel -> panels.add(object(panel)));
    return panels;
  }

  private static int number(Map<String, Object> object, String key) {
    return ((Number) object.get(key)).intValue();
  }

  private static long count(String text, char wanted) {
    return text.chars().filter(c -> c == wanted).count();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  /** Reads the next value: a map, a list, a number, a boolean, or text. */
  private static Object value(JsonParser json) throws IOException {
    JsonToken token = json.currentToken() == null ? json.nextToken() : json.currentToken();
    switch (token) {
      case START_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String key = json.currentName();
          json.nextToken();
          map.put(key, value(json));
        }
        return map;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        return list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        return json.getNumberValue();
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return json.getBooleanValue();
      }
      default -> {
        return json.getText();
      }
    }
  }
}
