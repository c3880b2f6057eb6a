package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testing.VirtualTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rules of {@code promtool check metrics} for names, types and help texts, for machines without
 * promtool.
 */
class MetricNamesTest {

  /** Units that promtool wants as seconds, bytes and so on, in full and abbreviated. */
  private static final List<String> WRONG_UNITS = List.of(
      "milliseconds",
      "microseconds",
      "nanoseconds",
      "minutes",
      "hours",
      "days",
      "weeks",
      "kilobytes",
      "megabytes",
      "gigabytes",
      "bits",
      "percent",
      "fahrenheit",
      "kelvin",
      "s",
      "ms",
      "us",
      "ns",
      "sec",
      "b",
      "kb",
      "mb",
      "gb",
      "tb",
      "pb",
      "m",
      "h",
      "d");

  private static final List<String> TYPES = List.of("counter", "gauge", "histogram", "summary");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  private static final Map<String, String> HELP = new LinkedHashMap<>();
  private static final Map<String, String> TYPE = new LinkedHashMap<>();

  @BeforeAll
  static void scrape() {
    VirtualTime time = VirtualTime.startingAt(Instant.EPOCH);
    try (Metrics metrics = new Metrics("test", "eu", "node-1", new Health(time))) {
      metrics.scrape().lines().filter(line -> line.startsWith("# ")).forEach(line -> {
        String[] words = line.split(" ", 4);
        (words[1].equals("HELP") ? HELP : TYPE).put(words[2], words.length < 4 ? "" : words[3]);
      });
    }
    assertThat(TYPE).hasSizeGreaterThan(50);
  }

  @Test
  void everyMetricIsExplained() {
    assertThat(HELP.keySet()).containsAll(TYPE.keySet());
    assertThat(HELP).allSatisfy((name, help) -> assertThat(help).as(name).isNotBlank());
  }

  @Test
  void namesAreInSnakeCase() {
    assertThat(TYPE.keySet()).allMatch(name -> NAME.matcher(name).matches());
  }

  @Test
  void countersAndOnlyCountersEndInTotal() {
    assertThat(TYPE)
        .allSatisfy((name, type) ->
            assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter")));
  }

  @Test
  void onlyHistogramsAndSummariesHaveTheirSuffixes() {
    assertThat(TYPE).allSatisfy((name, type) -> {
      if (!type.equals("histogram") && !type.equals("summary")) {
        assertThat(name).doesNotEndWith("_count").doesNotEndWith("_sum").doesNotEndWith("_bucket");
      }
    });
  }

  @Test
  void namesHaveBaseUnitsAndNoTypes() {
    assertThat(TYPE.keySet())
        .allSatisfy(name -> assertThat(name.split("_")).doesNotContainAnyElementsOf(WRONG_UNITS));
    assertThat(TYPE.keySet())
        .allSatisfy(name -> assertThat(name.split("_")).doesNotContainAnyElementsOf(TYPES));
  }
}
