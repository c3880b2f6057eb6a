package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the index with a scan of all wildcards in the documented order. */
class WildcardIndexTest {

  /** One literal character of two UTF-16 units. */
  private static final String WAVE = "\uD83C\uDF0A";

  /** Few and short parts, so that patterns share grams. */
  private static final List<String> ALPHABET =
      List.of("a", "b", "ab", "user_", "@example.org", WAVE, "\u0000", "1", "2");

  private final Map<String, KnownOverride> overrides = new TreeMap<>();
  private final Map<String, Wildcard> wildcards = new HashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 40, 300})
  void findsTheSameAsAScan(int patterns) {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      overrides.clear();
      for (int i = 0; i < patterns; i++) {
        set(pattern(random));
      }
      WildcardIndex index = new WildcardIndex(overrides.values());
      for (int i = 0; i < 200; i++) {
        String identifier = identifier(random);
        assertThat(index.find(identifier))
            .as("seed %d, %s among %s", seed, identifier, overrides.keySet())
            .isEqualTo(scan(identifier));
      }
    }
  }

  @Test
  void findsTheSameAsAScanDuringEdits() {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      overrides.clear();
      Overrides edited = new Overrides();
      for (int version = 1; version <= 300; version++) {
        String pattern = pattern(random);
        boolean deleted = random.nextInt(3) == 0;
        KnownOverride change = override(pattern, version, deleted);
        edited.apply(change);
        edited.publish();
        if (deleted) {
          overrides.remove(pattern);
        } else {
          overrides.put(pattern, change);
        }
        String identifier = identifier(random);
        KnownOverride exact = overrides.get(identifier);
        assertThat(edited.find(identifier))
            .as("seed %d, version %d, %s", seed, version, identifier)
            .isEqualTo(exact != null ? exact : scan(identifier));
        assertThat(edited.wildcards()).isEqualTo(overrides.size());
      }
    }
  }

  @Test
  void wildcardsThatShareAllTheirGramsAreFound() {
    for (int i = 1; i <= 500; i++) {
      set("a".repeat(i) + "*");
      set("*" + "a".repeat(i) + "*b");
    }
    WildcardIndex index = new WildcardIndex(overrides.values());

    for (int length : new int[] {1, 3, 4, 5, 499, 500, 512}) {
      String identifier = "a".repeat(length);
      assertThat(index.find(identifier)).isEqualTo(scan(identifier)).isNotNull();
    }
    assertThat(index.find("b")).isNull();
    assertThat(index.find("")).isNull();
  }

  @Test
  void wildcardsWithShortLiteralsOrNoneAreFound() {
    List.of("*", "**", "a*", "*b", "*" + WAVE, "ab*", "a*b", "*abc*").forEach(this::set);
    WildcardIndex index = new WildcardIndex(overrides.values());

    for (String identifier :
        List.of("", "a", "b", "ab", "abc", "xabcx", WAVE, "x" + WAVE, "c", "axb", "\u0000a")) {
      assertThat(index.find(identifier))
          .as(identifier)
          .isEqualTo(scan(identifier))
          .isNotNull();
    }
  }

  private void set(String pattern) {
    overrides.put(pattern, override(pattern, 1, false));
  }

  /** The documented rule: most literal characters, then alphabetical order. */
  private KnownOverride scan(String identifier) {
    return overrides.values().stream()
        .filter(override -> wildcard(override).matches(identifier))
        .min(Comparator.comparingInt(
                (KnownOverride override) -> -wildcard(override).literals())
            .thenComparing(KnownOverride::identifier))
        .orElse(null);
  }

  private Wildcard wildcard(KnownOverride override) {
    return wildcards.computeIfAbsent(override.identifier(), Wildcard::of);
  }

  private static KnownOverride override(String pattern, long version, boolean deleted) {
    return new KnownOverride("rlor_" + pattern, pattern, version, 60_000, deleted, version);
  }

  private static String pattern(Random random) {
    StringBuilder pattern = new StringBuilder(text(random, 3));
    int stars = 1 + random.nextInt(3);
    for (int i = 0; i < stars; i++) {
      pattern.append('*').append(text(random, 3));
    }
    return pattern.toString();
  }

  private static String identifier(Random random) {
    return text(random, 12);
  }

  private static String text(Random random, int maxParts) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, random.nextInt(maxParts + 1))
        .forEach(i -> text.append(ALPHABET.get(random.nextInt(ALPHABET.size()))));
    return text.toString();
  }
}
