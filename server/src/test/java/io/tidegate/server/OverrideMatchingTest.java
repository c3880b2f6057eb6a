package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which override applies to a request, and what it changes. */
class OverrideMatchingTest extends OverrideScenario {

  @Test
  void replacesLimitAndDurationImmediately() {
    String id = set("vip", 100);
    assertThat(limit("vip", 30))
        .containsEntry("success", true)
        .containsEntry("limit", 100L)
        .containsEntry("remaining", 70L)
        .containsEntry("overrideId", id);
    assertThat(limit("other", 1)).containsEntry("limit", 10L).doesNotContainKey("overrideId");
  }

  @Test
  void anotherDurationHasAnotherCounter() {
    limit("duration", 10);
    set("duration", 10, MONTH - 1_000);
    assertThat(limit("duration", 4)).containsEntry("remaining", 6L);
    delete("duration");
    assertThat(limit("duration", 1)).containsEntry("success", false);
  }

  @Test
  void theSameDurationHasTheSameCounter() {
    limit("same", 8);
    set("same", 20);
    assertThat(limit("same", 0)).containsEntry("remaining", 12L);
  }

  @Test
  void limitZeroDeniesEverythingIncludingPeeks() {
    String id = set("blocked", 0);
    for (long cost : new long[] {0, 1, 5}) {
      assertThat(limit("blocked", cost))
          .containsEntry("success", false)
          .containsEntry("limit", 0L)
          .containsEntry("remaining", 0L)
          .containsEntry("overrideId", id)
          .doesNotContainKey("retryAfter");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "*, anything, true",
    "*, *, true",
    "user_*, user_1, true",
    "user_*, user_, true",
    "user_*, User_1, false",
    "user_*, my user_1, false",
    "*_free, acme_free, true",
    "*_free, acme_freedom, false",
    "a*c, ac, true",
    "a*c, abc, true",
    "a*c, abcd, false",
    "a*a, a, false",
    "a**b, axb, true",
    "a*b*c, a1b2c, true",
    "a*b*c, acb, false",
    "*.*, 10.0.0.1, true",
    "a.c, abc, false",
    "[ab], a, false",
    "a?, ab, false",
    "\uD83C\uDF0A*, \uD83C\uDF0Aé, true",
    "*\uD83C\uDF0A*, x\uD83C\uDF0Ay, true",
    "a*, a, true",
  })
  void starMatchesAnyCharactersAndOthersMatchThemselves(
      String pattern, String identifier, boolean matches) {
    String id = set(pattern, 33);
    Map<String, Object> answer = limit(identifier, 0);
    if (matches) {
      assertThat(answer).containsEntry("limit", 33L).containsEntry("overrideId", id);
    } else {
      assertThat(answer).containsEntry("limit", 10L).doesNotContainKey("overrideId");
    }
  }

  @Test
  void anExactMatchPrecedesWildcards() {
    set("*", 1);
    set("user_1*", 2);
    set("user_1", 3);
    assertThat(limit("user_1", 0)).containsEntry("limit", 3L);
    assertThat(limit("user_1*", 0))
        .as("the text of a pattern is an exact match too")
        .containsEntry("limit", 2L);
  }

  @Test
  void theWildcardWithTheMostLiteralCharactersApplies() {
    // In an order that would change the result if order mattered.
    set("*", 1);
    set("user_*_pro", 4);
    set("user_*", 2);
    set("*_pro", 3);
    assertThat(limit("user_1_pro", 0)).containsEntry("limit", 4L);
    assertThat(limit("user_1", 0)).containsEntry("limit", 2L);
    assertThat(limit("team_pro", 0)).containsEntry("limit", 3L);
    assertThat(limit("anybody", 0)).containsEntry("limit", 1L);
    delete("user_*_pro");
    assertThat(limit("user_1_pro", 0)).as("five literals before four").containsEntry("limit", 2L);
  }

  @Test
  void countsLiteralsAsCodePoints() {
    set("\uD83C\uDF0A\uD83C\uDF0A*", 2); // two characters of four UTF-16 units
    set("*abc", 3);
    assertThat(limit("\uD83C\uDF0A\uD83C\uDF0A_abc", 0)).containsEntry("limit", 3L);
  }

  @Test
  void ofEqualWildcardsTheFirstByTextApplies() {
    set("b*", 2);
    set("*b", 1);
    assertThat(limit("bb", 0)).containsEntry("limit", 1L);
    delete("*b");
    assertThat(limit("bb", 0)).containsEntry("limit", 2L);
    set("*b", 1);
    assertThat(limit("bb", 0)).containsEntry("limit", 1L);
  }

  @Test
  void identifiersOfOneWildcardHaveSeparateCounters() {
    set("shared_*", 5);
    limit("shared_1", 5);
    assertThat(limit("shared_1", 1)).containsEntry("success", false);
    assertThat(limit("shared_2", 5)).containsEntry("success", true);
  }

  @Test
  void appliesInItsNamespaceOnly() {
    set("*", 5);
    assertThat(limit("another namespace", "x", 0)).containsEntry("limit", 10L);
  }
}
