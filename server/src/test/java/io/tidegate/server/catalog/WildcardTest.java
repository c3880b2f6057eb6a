package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardTest {

  @ParameterizedTest
  @CsvSource({
    "*@gmail.com, test@gmail.com, true",
    "*@gmail.com, @gmail.com, true",
    "*@gmail.com, test@yahoo.com, false",
    "*@gmail.com, test@gmailxcom, false",
    "*@gmail.com, test@gmail.com.evil, false",
    "*@gmail.com, test@GMAIL.com, false",
    "hello*, hello world, true",
    "hello*, hello, true",
    "hello*, hell, false",
    "hello*, ' hello', false",
    "*world, hello world, true",
    "*world, hello worlds, false",
    "h*d, hello world, true",
    "h*d, hd, true",
    "h*d, h, false",
    "h*beau*world, hello beautiful world, true",
    "h*beau*world, hello world, false",
    "*, '', true",
    "*, anything, true",
    "**, '', true",
    "a**b, ab, true",
    "a*a, a, false",
    "a*a, aa, true",
    "ab*ba, aba, false",
    "*a*a*, a, false",
    "*aab*, aaab, true",
    "*abab*c, abaababxc, true",
    "*ab*ab*, ab, false",
    "a*b*c, abbc, true",
    "a.c*, abcd, false",
    "[a]*, a, false",
    "a?*, ab, false",
    "\\*, \\x, true",
    "*\ud83d\ude00*, a\ud83d\ude00b, true",
    "*\ud83d\ude00*, a\ud83d\ude01b, false",
    "\u00e4*, \u00e4x, true"
  })
  void starMatchesAnyRun(String pattern, String text, boolean matches) {
    assertThat(Wildcard.of(pattern).matches(text)).isEqualTo(matches);
  }

  @Test
  void onlyAPatternWithAStarIsAWildcard() {
    assertThat(Wildcard.isWildcard("a*b")).isTrue();
    assertThat(Wildcard.isWildcard("ab")).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> Wildcard.of("ab"));
  }

  @Test
  void literalsAreCountedInCodePoints() {
    assertThat(Wildcard.of("*").literals()).isZero();
    assertThat(Wildcard.of("a*bc**d").literals()).isEqualTo(4);
    assertThat(Wildcard.of("\ud83d\ude00*\ud83d\ude00*").literals()).isEqualTo(2);
  }

  /** Uses few letters, so that parts of a pattern often nearly match. */
  private static String text(Generator random) {
    return random.text(0, 12, "a", "b", "\ud83d\ude00", "\ud83d\ude01", "\u00e4");
  }

  private static String pattern(Generator random) {
    String pattern = random.text(1, 8, "a", "b", "\ud83d\ude00", "*", "*", "aab", "abab");
    return Wildcard.isWildcard(pattern) ? pattern : pattern + "*";
  }

  @Test
  void matchesAccordingToTheDefinition() {
    Property.check(6_000, random -> {
      String pattern = pattern(random);
      String text = text(random);
      assertThat(Wildcard.of(pattern).matches(text))
          .as("%s matches %s", pattern, text)
          .isEqualTo(isMatch(pattern, text));
    });
  }

  /** The search must continue at the second "aab" and not after it. */
  @Test
  void findsAPartThatOverlapsItself() {
    assertThat(Wildcard.of("*aabaaac*").matches("aabaaabaaac")).isTrue();
    assertThat(Wildcard.of("*aabaaac*").matches("aabaaabaaab")).isFalse();
  }

  @Test
  void matchesAnyTextInPlaceOfItsStars() {
    Property.check(1_200, random -> {
      String pattern = pattern(random);
      String text = text(random);
      assertThat(Wildcard.of(pattern).matches(pattern.replace("*", text))).isTrue();
      assertThat(Wildcard.of(pattern).matches(pattern)).isTrue();
    });
  }

  /** The definition, by dynamic programming over code points. */
  private static boolean isMatch(String pattern, String text) {
    int[] patternPoints = pattern.codePoints().toArray();
    int[] textPoints = text.codePoints().toArray();
    boolean[][] match = new boolean[patternPoints.length + 1][textPoints.length + 1];
    match[0][0] = true;
    for (int p = 1; p <= patternPoints.length; p++) {
      for (int t = 0; t <= textPoints.length; t++) {
        match[p][t] = patternPoints[p - 1] == '*'
            ? match[p - 1][t] || (t > 0 && match[p][t - 1])
            : t > 0 && match[p - 1][t - 1] && patternPoints[p - 1] == textPoints[t - 1];
      }
    }
    return match[patternPoints.length][textPoints.length];
  }

  /**
   * The texts are much longer than valid ones: a naive search would take 10^11 steps per pattern,
   * and one with backtracking would not end.
   */
  @Test
  @Timeout(20)
  void takesTimeProportionalToTheText() {
    String text = "a".repeat(1_000_000);
    assertThat(Wildcard.of("*" + "a".repeat(20_000) + "b*").matches(text)).isFalse();
    assertThat(Wildcard.of("*" + "a*".repeat(10_000) + "b").matches(text)).isFalse();
    assertThat(Wildcard.of("*" + "a*".repeat(10_000) + "b*").matches(text)).isFalse();
    assertThat(Wildcard.of("*" + "ab".repeat(10_000) + "*").matches("ab".repeat(9_999) + text))
        .isFalse();
    assertThat(Wildcard.of("*" + "a*".repeat(10_000)).matches(text)).isTrue();
  }
}
