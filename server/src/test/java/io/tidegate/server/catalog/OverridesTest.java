package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverridesTest {

  private final Overrides overrides = new Overrides();
  private long version;

  private static KnownOverride override(String pattern, long limit, boolean deleted, long version) {
    return new KnownOverride("rlor_" + pattern, pattern, limit, 60_000, deleted, version);
  }

  private void set(String pattern) {
    overrides.apply(override(pattern, 1, false, ++version));
    overrides.publish();
  }

  private void delete(String pattern) {
    overrides.apply(override(pattern, 1, true, ++version));
    overrides.publish();
  }

  private String found(String identifier) {
    KnownOverride found = overrides.find(identifier);
    return found == null ? "none" : found.identifier();
  }

  @Test
  void noOverrideAppliesInitially() {
    assertThat(found("a")).isEqualTo("none");
    assertThat(overrides.page("", 10)).isEmpty();
  }

  @Test
  void exactPatternWins() {
    set("user*longer");
    set("user_longer");
    set("*");
    assertThat(found("user_longer")).isEqualTo("user_longer");
    assertThat(found("user*longer"))
        .isEqualTo("user*longer"); // the text of a wildcard is an exact pattern too
    assertThat(found("user1longer")).isEqualTo("user*longer");
    assertThat(found("else")).isEqualTo("*");
  }

  @Test
  void wildcardWithTheMostLiteralCharactersWins() {
    set("*");
    set("a*");
    set("*bc");
    set("a*c*");
    assertThat(found("abc"))
        .isEqualTo("*bc"); // 2 literals, and before "a*c*" in alphabetical order
    set("a*bc");
    assertThat(found("abc")).isEqualTo("a*bc");
    assertThat(found("ac")).isEqualTo("a*c*");
    assertThat(found("ad")).isEqualTo("a*");
    assertThat(found("x")).isEqualTo("*");
  }

  @Test
  void literalCharactersAreCountedInCodePoints() {
    set("\ud83d\ude00*");
    set("*ab");
    assertThat(found("\ud83d\ude00ab")).isEqualTo("*ab");
  }

  @Test
  void firstOfEqualsInAlphabeticalOrderWins() {
    set("*b");
    set("a*");
    assertThat(found("ab")).isEqualTo("*b");
  }

  @Test
  void deletedOverrideDoesNotApplyUntilItIsSetAgain() {
    set("a*");
    delete("a*");
    assertThat(found("ab")).isEqualTo("none");
    assertThat(overrides.exact("a*")).isNull();
    assertThat(overrides.page("", 10)).isEmpty();
    assertThat(overrides.wildcards()).isZero();
    set("a*");
    assertThat(found("ab")).isEqualTo("a*");
    assertThat(overrides.page("", 10)).hasSize(1);
    assertThat(overrides.wildcards()).isEqualTo(1);
  }

  @Test
  void olderChangeThatArrivesLaterHasNoEffect() {
    overrides.apply(override("a", 5, false, 10));
    overrides.apply(override("a", 4, false, 9));
    overrides.apply(override("a", 4, true, 8));
    assertThat(overrides.find("a").limit()).isEqualTo(5);
    overrides.apply(override("a", 5, true, 11));
    overrides.apply(override("a", 5, false, 10));
    assertThat(found("a")).isEqualTo("none");
    assertThat(overrides.page("", 10)).isEmpty();
  }

  @Test
  void deletionThatArrivesFirstWins() {
    overrides.apply(override("a*", 1, true, 7));
    overrides.apply(override("a*", 1, false, 6));
    overrides.publish();
    assertThat(found("ab")).isEqualTo("none");
  }

  @Test
  void pagesAreOrderedByIdAndBeginWithTheCursor() {
    for (String pattern : List.of("c", "a", "e", "b*", "d")) {
      set(pattern);
    }
    delete("c");
    assertThat(overrides.page("", 2))
        .extracting(KnownOverride::identifier)
        .containsExactly("a", "b*");
    assertThat(overrides.page("rlor_b*", 9))
        .extracting(KnownOverride::identifier)
        .containsExactly("b*", "d", "e");
    assertThat(overrides.page("rlor_c", 1))
        .extracting(KnownOverride::identifier)
        .containsExactly("d");
    assertThat(overrides.page("z", 1)).isEmpty();
  }

  /** The newest override of each pattern wins, in whatever order and however often they arrive. */
  @Test
  void orderOfChangesDoesNotMatter() {
    Property.check(350, OverridesTest::checkOrderOfChangesDoesNotMatter);
  }

  private static void checkOrderOfChangesDoesNotMatter(Generator random) {
    List<String> patterns = List.of("a", "ab", "a*", "*b", "*", "a*b*", "*ab");
    List<KnownOverride> changes = new ArrayList<>();
    Map<String, KnownOverride> newest = new HashMap<>();
    int length = random.length(10, 50);
    for (int i = 1; i <= length; i++) {
      String pattern = patterns.get(random.nextInt(patterns.size()));
      KnownOverride change = override(pattern, i, random.nextInt(3) == 0, i);
      changes.add(change);
      newest.put(pattern, change);
    }
    List<KnownOverride> late = new ArrayList<>(changes);
    late.addAll(changes.subList(0, 10));
    Collections.shuffle(late, random);
    Overrides inOrder = new Overrides();
    Overrides shuffled = new Overrides();
    changes.forEach(inOrder::apply);
    late.forEach(shuffled::apply);
    for (String identifier : List.of("", "a", "b", "ab", "aab", "abb", "a*", "*", "x")) {
      assertThat(shuffled.find(identifier)).isEqualTo(inOrder.find(identifier));
    }
    newest.values().removeIf(KnownOverride::deleted);
    assertThat(shuffled.page("", 100)).containsExactlyInAnyOrderElementsOf(newest.values());
  }
}
