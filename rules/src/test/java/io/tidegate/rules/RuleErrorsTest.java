package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that a rule set finds; {@code RuleYamlTest} of the server has those of the syntax. */
class RuleErrorsTest {

  private static List<String> errors(RuleFile... files) {
    RuleException rejected =
        catchThrowableOfType(RuleException.class, () -> RuleSet.of(List.of(files)));
    return rejected.errors().stream().map(RuleError::toString).toList();
  }

  private static List<String> errors(RuleLimit limit) {
    return errors(RuleFile.of("f", "d", List.of(RuleNode.of("a").withLimit(limit))));
  }

  @Test
  void allErrorsOfAllFilesAreReportedInOrder() {
    RuleFile parsed = new RuleFile(
        "a.yaml",
        1,
        "d",
        List.of(node(5, ""), node(3, "k"), node(9, "k")),
        List.of(new RuleError("a.yaml", 7, "unknown key 'x'")));
    RuleFile unreadable =
        RuleFile.unreadable("b.yaml", new RuleError("b.yaml", 0, "file cannot be read"));
    RuleFile same = new RuleFile("c.yaml", 2, "d", List.of(), List.of());
    assertThat(errors(parsed, unreadable, same))
        .containsExactly(
            "a.yaml:5: descriptor has no key, or an empty one",
            "a.yaml:7: unknown key 'x'",
            "a.yaml:9: duplicate descriptor 'k': a.yaml:3 has the same key and value",
            "b.yaml: file cannot be read",
            "c.yaml:2: duplicate domain 'd': a.yaml:1 has it too; all rules of a domain must be in one file");
  }

  private static RuleNode node(int line, String key) {
    return new RuleNode(line, key, "", null, List.of(), Set.of(), Map.of());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      1s       | 1000
      1500ms   | 1500
      10m      | 600000
      12h      | 43200000
      366d     | 31622400000
      """)
  void windowsOfAnyLengthAreValid(String window, long millis) throws RuleException {
    RuleLimit limit = new RuleLimit(1, 1L, "", window, false, "", List.of());
    RuleFile file = RuleFile.of("f", "d", List.of(RuleNode.of("a").withLimit(limit)));
    assertThat(RuleSet.of(List.of(file)).rules().get(0).windowMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"999ms", "0s", "367d", "8785h", "10", "m", "-1m", "1.5h", "1M", "99999999999d", "1 m"
  })
  void otherWindowsAreNot(String window) {
    assertThat(errors(new RuleLimit(1, 1L, "", window, false, "", List.of())))
        .containsExactly("f:1: window must be between 1s and 366d, such as 30s, 10m, 12h or 7d: '"
            + window + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "second, 1000",
    "Minute, 60000",
    "HOUR, 3600000",
    "day, 86400000",
    "week, 604800000",
    "month, 2592000000",
    "year, 31536000000"
  })
  void unitsAreValidInAnyCase(String unit, long millis) throws RuleException {
    RuleFile file =
        RuleFile.of("f", "d", List.of(RuleNode.of("a").withLimit(RuleLimit.of(1, unit))));
    assertThat(RuleSet.of(List.of(file)).rules().get(0).windowMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"-1", "1000000000001", "9223372036854775807"})
  void limitsOutOfRangeAreRejected(long limit) {
    assertThat(errors(RuleLimit.of(limit, "minute")))
        .containsExactly("f: requests_per_unit must be between 0 and 1000000000000: " + limit);
  }

  @Test
  void namesThatDoNotFitAreRejectedAndShortenedInTheMessage() {
    RuleNode deep = RuleNode.of("key", "v".repeat(255))
        .withDescriptors(RuleNode.of("key", "v".repeat(249)).withLimit(RuleLimit.of(1, "day")));
    assertThat(errors(RuleFile.of("f", "d", List.of(deep))))
        .singleElement()
        .asString()
        .startsWith("f: path of the rule must have at most 512 characters, it has 513: 'key=vvv")
        .endsWith("vvv...'")
        .hasSizeLessThan(200);
    assertThat(errors(RuleFile.of("f", "d".repeat(513), List.of())))
        .singleElement()
        .asString()
        .startsWith("f:1: domain must have at most 512 characters, it has 513: 'ddd");
  }

  @Test
  void messageOfManyErrorsIsBounded() {
    RuleException rejected =
        new RuleException(Collections.nCopies(250, new RuleError("f", 1, "descriptor has no key")));
    assertThat(rejected.errors()).hasSize(250);
    assertThat(rejected.getMessage().lines()).hasSize(101).last().isEqualTo("and 150 more errors");
  }
}
