package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionHeadersTest {

  private static final long NOW = 1_767_225_600_000L;

  private static PolicyDecision allowed(String policy, long limit, long remaining) {
    return allowed(policy, limit, remaining, 60_000);
  }

  private static PolicyDecision allowed(
      String policy, long limit, long remaining, long resetInMillis) {
    return new PolicyDecision(
        policy,
        60_000,
        new Decision(
            true,
            limit,
            remaining,
            NOW + resetInMillis,
            0,
            limit - remaining,
            Source.LOCAL,
            false));
  }

  private static PolicyDecision denied(String policy, long limit, long retryAfterMillis) {
    return new PolicyDecision(
        policy,
        60_000,
        new Decision(
            false, limit, 0, NOW + 60_000, retryAfterMillis, limit + 1, Source.LOCAL, false));
  }

  private static Map<String, String> draft11(PolicyDecision... decisions) {
    return DecisionHeaders.DRAFT_11.of(List.of(decisions), NOW);
  }

  private static String states(PolicyDecision... decisions) {
    return draft11(decisions).get("RateLimit");
  }

  private static String policies(PolicyDecision... decisions) {
    return draft11(decisions).get("RateLimit-Policy");
  }

  @Nested
  class Draft11 {

    @Test
    void describesPolicyAndState() {
      assertThat(draft11(allowed("login", 10, 9, 29_001)))
          .containsExactly(
              entry("RateLimit-Policy", "\"login\";q=10;w=60"),
              entry("RateLimit", "\"login\";r=9;t=30"));
    }

    @Test
    void noDecisionsGiveNoHeaders() {
      assertThat(draft11()).isEmpty();
      assertThat(DecisionHeaders.DRAFT_11.ofDenial(List.of(), NOW)).isEmpty();
    }

    @Test
    void timeOfADenialIsItsWait() {
      assertThat(states(denied("login", 10, 6_500))).isEqualTo("\"login\";r=0;t=7");
    }

    @Test
    void timeIsLeftOutIfNoWaitHelps() {
      assertThat(states(denied("login", 0, Decision.NEVER))).isEqualTo("\"login\";r=0");
    }

    @Test
    void policiesKeepTheirOrder() {
      PolicyDecision burst = allowed("burst", 10, 9);
      PolicyDecision daily = denied("daily", 1_000, 1);
      assertThat(policies(burst, daily)).isEqualTo("\"burst\";q=10;w=60, \"daily\";q=1000;w=60");
    }

    @Test
    void leastRemainingComesFirst() {
      assertThat(states(allowed("a", 10, 5), allowed("b", 1_000, 4), allowed("c", 10, 6)))
          .isEqualTo("\"b\";r=4;t=60, \"a\";r=5;t=60, \"c\";r=6;t=60");
    }

    @Test
    void equalsKeepTheirOrder() {
      assertThat(states(allowed("a", 10, 5), allowed("b", 10, 5)))
          .isEqualTo("\"a\";r=5;t=60, \"b\";r=5;t=60");
    }

    @Test
    void denialComesBeforeAnAllowedLimitWithNothingLeft() {
      assertThat(states(allowed("a", 10, 0), denied("b", 10, 1)))
          .isEqualTo("\"b\";r=0;t=1, \"a\";r=0;t=60");
    }

    @Test
    void longestDenialComesFirst() {
      assertThat(states(denied("a", 10, 2_000), denied("b", 10, 9_000), denied("c", 10, 3_000)))
          .startsWith("\"b\";r=0;t=9, ");
      assertThat(states(denied("a", 10, 9_000), denied("b", 10, Decision.NEVER)))
          .isEqualTo("\"b\";r=0, \"a\";r=0;t=9");
    }

    @Test
    void onePolicyMayOccurTwice() {
      PolicyDecision twice = allowed("a", 10, 5);
      assertThat(states(twice, twice)).isEqualTo("\"a\";r=5;t=60, \"a\";r=5;t=60");
    }

    @ParameterizedTest
    @CsvSource({"1000, 1", "1001, 2", "1500, 2", "60000, 60", "31622400000, 31622400"})
    void windowIsRoundedUpToSeconds(long windowMillis, long seconds) {
      PolicyDecision decision =
          new PolicyDecision("p", windowMillis, allowed("p", 1, 1).decision());
      assertThat(policies(decision)).isEqualTo("\"p\";q=1;w=" + seconds);
    }

    @ParameterizedTest
    @CsvSource({"-5000, 1", "0, 1", "1, 1", "1000, 1", "1001, 2", "59999, 60"})
    void timeIsRoundedUpAndAtLeastOne(long resetInMillis, long seconds) {
      assertThat(states(allowed("p", 1, 1, resetInMillis))).isEqualTo("\"p\";r=1;t=" + seconds);
    }

    @Test
    void largestNumbersAreIntegersOfStructuredFields() {
      PolicyDecision largest = new PolicyDecision(
          "p",
          Bounds.MAX_WINDOW_MILLIS,
          allowed("p", Bounds.MAX_TOKENS, Bounds.MAX_TOKENS).decision());
      assertThat(policies(largest)).isEqualTo("\"p\";q=1000000000000;w=31622400");
      assertThat(states(largest)).isEqualTo("\"p\";r=1000000000000;t=60");
    }
  }

  @Nested
  class Draft06 {

    private static Map<String, String> draft06(PolicyDecision... decisions) {
      return DecisionHeaders.DRAFT_06.of(List.of(decisions), NOW);
    }

    @Test
    void describesTheBindingLimit() {
      assertThat(draft06(allowed("a", 10, 5), allowed("b", 100, 4, 12_300), allowed("c", 10, 6)))
          .containsExactly(
              entry("RateLimit-Limit", "100"),
              entry("RateLimit-Remaining", "4"),
              entry("RateLimit-Reset", "13"));
    }

    @Test
    void resetOfADenialIsItsWait() {
      assertThat(draft06(allowed("a", 10, 5), denied("b", 100, 2_001)))
          .containsExactly(
              entry("RateLimit-Limit", "100"),
              entry("RateLimit-Remaining", "0"),
              entry("RateLimit-Reset", "3"));
    }

    @Test
    void resetIsTheEndOfTheWindowIfNoWaitHelps() {
      assertThat(draft06(denied("a", 0, Decision.NEVER)))
          .containsExactly(
              entry("RateLimit-Limit", "0"),
              entry("RateLimit-Remaining", "0"),
              entry("RateLimit-Reset", "60"));
    }

    @Test
    void noDecisionsGiveNoHeaders() {
      assertThat(draft06()).isEmpty();
    }
  }

  @Nested
  class RetryAfter {

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1", "1001, 2", "6500, 7"})
    void isRoundedUp(long waitMillis, String seconds) {
      for (DecisionHeaders form : DecisionHeaders.values()) {
        assertThat(form.ofDenial(List.of(denied("p", 10, waitMillis)), NOW))
            .containsEntry("Retry-After", seconds);
      }
    }

    @Test
    void isTheTimeOfTheBindingPolicy() {
      assertThat(DecisionHeaders.DRAFT_11.ofDenial(
              List.of(denied("a", 10, 2_000), allowed("b", 10, 3), denied("c", 10, 8_100)), NOW))
          .containsEntry("RateLimit", "\"c\";r=0;t=9, \"a\";r=0;t=2, \"b\";r=3;t=60")
          .containsEntry("Retry-After", "9");
    }

    @Test
    void isLeftOutIfNoWaitHelps() {
      assertThat(DecisionHeaders.DRAFT_11.ofDenial(
              List.of(denied("a", 10, 2_000), denied("b", 10, Decision.NEVER)), NOW))
          .doesNotContainKey("Retry-After");
    }

    @Test
    void isLeftOutUnlessTheRequestIsDenied() {
      PolicyDecision over = denied("one of two quotas", 10, 2_000);
      assertThat(DecisionHeaders.DRAFT_11.of(List.of(over), NOW)).doesNotContainKey("Retry-After");
      assertThat(DecisionHeaders.DRAFT_11.ofDenial(List.of(allowed("a", 10, 3)), NOW))
          .doesNotContainKey("Retry-After");
    }
  }

  @Nested
  class Names {

    @ParameterizedTest
    @CsvSource(
        delimiter = ' ',
        quoteCharacter = '~',
        value = {
          "login \"login\"",
          "~generic_key=login,remote_address~ \"generic_key=login,remote_address\"",
          "path=/api/* \"path=/api/*\"",
          "~~ \"\"",
          "~two words~ ~\"two words\"~",
          "a\"b \"a\\\"b\"",
          "a\\b \"a\\\\b\"",
          "\\\" \"\\\\\\\"\"",
          "100% \"100%25\"",
          "\u00e9 \"%C3%A9\"",
          "\u4e2d \"%E4%B8%AD\"",
          "\ud83d\ude00 \"%F0%9F%98%80\""
        })
    void areQuoted(String name, String quoted) {
      assertThat(DecisionHeaders.quoted(name)).isEqualTo(quoted);
    }

    @Test
    void controlCharactersCannotEndTheHeader() {
      assertThat(DecisionHeaders.quoted("a\r\nSet-Cookie: x\0\t\u007f"))
          .isEqualTo("\"a%0D%0ASet-Cookie: x%00%09%7F\"");
    }

    @Test
    void everyAsciiCharacterIsRepresented() {
      for (char c = 0; c < 0x80; c++) {
        String quoted = DecisionHeaders.quoted(String.valueOf(c));
        String expected = c == '"' || c == '\\'
            ? "\\" + c
            : c < ' ' || c == '%' || c == 0x7f ? "%%%02X".formatted((int) c) : "" + c;
        assertThat(quoted).isEqualTo("\"" + expected + "\"");
      }
    }

    @Test
    void differentNamesStayDifferent() {
      assertThat(DecisionHeaders.quoted("%C3%A9")).isNotEqualTo(DecisionHeaders.quoted("\u00e9"));
    }
  }
}
