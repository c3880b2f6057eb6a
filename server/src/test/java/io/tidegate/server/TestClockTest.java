package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code X-Test-Time}, the header that sets the time of a request. */
class TestClockTest {

  private static final long MINUTE = 60_000;

  /** The start of a minute. */
  private static final long START = 1_700_000_040_000L;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Node.start("--test-clock");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String body(String identifier, long cost) {
    return Json.object(
        "namespace", "time",
        "identifier", identifier,
        "limit", 10,
        "duration", MINUTE,
        "cost", cost);
  }

  private static Answer at(String time, String route, String body) {
    return node.askAs(node.key(), route, body, "X-Test-Time", time);
  }

  private static Map<String, Object> limitAt(long millis, String identifier, long cost) {
    return at(Long.toString(START + millis), "limit", body(identifier, cost)).data();
  }

  private static Map<String, Object> allowed(long remaining, long resetMillis) {
    return Json.map(
        "success", true, "limit", 10L, "remaining", remaining, "reset", START + resetMillis);
  }

  private static Map<String, Object> denied(long resetMillis, long retryAfter) {
    return Json.map(
        "success",
        false,
        "limit",
        10L,
        "remaining",
        0L,
        "reset",
        START + resetMillis,
        "retryAfter",
        retryAfter);
  }

  @Test
  void theWindowSlides() {
    assertThat(limitAt(50_000, "slide", 10)).isEqualTo(allowed(0, MINUTE));
    assertThat(limitAt(59_999, "slide", 1)).isEqualTo(denied(MINUTE, 2));
    // The next minute begins with all ten tokens of the last; a millisecond later, nine count.
    assertThat(limitAt(60_000, "slide", 1)).isEqualTo(denied(2 * MINUTE, 1));
    assertThat(limitAt(60_001, "slide", 0)).isEqualTo(allowed(1, 2 * MINUTE));
    // Half a minute later, half of them count.
    assertThat(limitAt(90_000, "slide", 5)).isEqualTo(allowed(0, 2 * MINUTE));
    assertThat(limitAt(90_000, "slide", 1)).isEqualTo(denied(2 * MINUTE, 1));
    // At the end of the minute only the five of this minute count. Six fit when four of those five
    // count, in the next minute.
    assertThat(limitAt(119_999, "slide", 6)).isEqualTo(denied(2 * MINUTE, 2));
    assertThat(limitAt(120_000, "slide", 0)).isEqualTo(allowed(5, 3 * MINUTE));
    assertThat(limitAt(120_001, "slide", 6)).isEqualTo(allowed(0, 3 * MINUTE));
    // Two minutes later none counts.
    assertThat(limitAt(240_000, "slide", 0)).isEqualTo(allowed(10, 5 * MINUTE));
  }

  @Test
  void aRequestIsAllowedAfterTheTimeToWaitAndNotBefore() {
    limitAt(10_000, "wait", 7);
    limitAt(70_000, "wait", 3);
    Map<String, Object> denied = limitAt(71_000, "wait", 3);
    assertThat(denied).containsEntry("success", false);
    long wait = (Long) denied.get("retryAfter");
    assertThat(limitAt(71_000 + wait - 1, "wait", 3)).containsEntry("success", false);
    assertThat(limitAt(71_000 + wait, "wait", 3)).containsEntry("success", true);
  }

  @Test
  void appliesToBatches() {
    limitAt(30_000, "batch", 10);
    Answer early = at(Long.toString(START + MINUTE), "multiLimit", "[" + body("batch", 1) + "]");
    assertThat(early.rows("limits"))
        .isEqualTo(List.of(Json.map(
            "namespace",
            "time",
            "identifier",
            "batch",
            "passed",
            false,
            "limit",
            10L,
            "remaining",
            0L,
            "reset",
            START + 2 * MINUTE,
            "retryAfter",
            1L)));
    Answer later =
        at(Long.toString(START + MINUTE + 1), "multiLimit", "[" + body("batch", 1) + "]");
    assertThat(later.data()).containsEntry("passed", true);
  }

  @Test
  void withoutTheHeaderTheTimeIsNow() {
    long before = System.currentTimeMillis();
    long reset = (Long) node.ask("limit", body("now", 1)).data().get("reset");
    assertThat(reset).isBetween(before, System.currentTimeMillis() + MINUTE);
  }

  @Test
  void mayBeBefore1970() {
    assertThat(at("-1", "limit", body("old", 1)).data()).containsEntry("reset", 0L);
    assertThat(at("0", "limit", body("new", 1)).data()).containsEntry("reset", MINUTE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soon",
        "1.5",
        "2026-01-01",
        "1000000000000001",
        "-1000000000000001",
        "9223372036854775808"
      })
  void rejectsInvalidTimes(String time) throws Exception {
    for (String route : List.of("limit", "multiLimit")) {
      String body = body("no time", 1).replace("\"time\"", "\"not made\"");
      Answer answer = at(time, route, route.equals("limit") ? body : "[" + body + "]");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.error())
          .containsEntry("title", "Bad Request")
          .containsEntry("detail", "The header X-Test-Time must be a time in milliseconds.")
          .containsEntry("type", "https://unkey.com/docs/errors/unkey/application/invalid_input");
      assertThat(answer.violations())
          .singleElement()
          .satisfies(violation -> assertThat(violation)
              .containsEntry("location", "header.X-Test-Time")
              .containsEntry(
                  "message",
                  "must be an integer between -1000000000000000 and 1000000000000000: " + time));
    }
    assertThat(node.catalog().changesSince(0).namespaces())
        .noneMatch(namespace -> namespace.name().equals("not made"));
  }

  @Test
  void ordinaryNodesIgnoreTheHeader() {
    try (Node ordinary = Node.start()) {
      Answer answer = ordinary.askAs(
          ordinary.key(), "limit", body("ordinary", 1), "X-Test-Time", Long.toString(START));
      assertThat((Long) answer.data().get("reset")).isGreaterThan(START + MINUTE);
      assertThat(ordinary
              .askAs(ordinary.key(), "limit", body("ordinary", 1), "X-Test-Time", "soon")
              .status())
          .isEqualTo(200);
    }
  }
}
