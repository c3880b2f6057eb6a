package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;

/** Headers of random decisions, read by an independent parser of structured fields (RFC 9651). */
class StructuredFieldsTest {

  private static final long SEED = 16;
  private static final int RUNS = 2_000;
  private static final long NOW = 1_767_225_600_000L;

  private final Random random = new Random(SEED);

  @Test
  void parserReadsWhatWasWritten() {
    for (int run = 0; run < RUNS; run++) {
      List<PolicyDecision> decisions = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        decisions.add(decision());
      }
      Map<String, String> headers = DecisionHeaders.DRAFT_11.of(decisions, NOW);
      String policies = headers.get("RateLimit-Policy");
      String states = headers.get("RateLimit");

      assertThat(items(policies))
          .as(policies)
          .isEqualTo(decisions.stream().map(StructuredFieldsTest::policy).toList());
      assertThat(items(states))
          .as(states)
          .containsExactlyInAnyOrderElementsOf(
              decisions.stream().map(StructuredFieldsTest::state).toList());
      assertThat(Parser.parseList(policies).serialize()).as("canonical").isEqualTo(policies);
      assertThat(Parser.parseList(states).serialize()).as("canonical").isEqualTo(states);
    }
  }

  private static Map<String, Object> policy(PolicyDecision decision) {
    return Map.of(
        "",
        decision.policy(),
        "q",
        decision.decision().limit(),
        "w",
        ceilSeconds(decision.windowMillis()));
  }

  private static Map<String, Object> state(PolicyDecision decision) {
    Map<String, Object> state = new HashMap<>();
    state.put("", decision.policy());
    state.put("r", decision.decision().remaining());
    if (decision.decision().allowed()) {
      state.put("t", ceilSeconds(decision.decision().resetAtMillis() - NOW));
    } else {
      decision
          .decision()
          .retryAfter()
          .ifPresent(wait -> state.put("t", ceilSeconds(wait.toMillis())));
    }
    return state;
  }

  private static long ceilSeconds(long millis) {
    return millis / 1_000 + (millis % 1_000 == 0 ? 0 : 1);
  }

  /** The items of a list: the parameters by name, and the decoded string under an empty name. */
  private static List<Map<String, Object>> items(String header) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (ListElement<?> element : Parser.parseList(header).get()) {
      Map<String, Object> item = new HashMap<>();
      item.put("", percentDecoded((String) element.get()));
      element.getParams().forEach((name, value) -> item.put(name, value.get()));
      items.add(item);
    }
    return items;
  }

  private static String percentDecoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(text.charAt(i));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private PolicyDecision decision() {
    long limit = number(Bounds.MAX_TOKENS);
    long window = 1_000 + number(Bounds.MAX_WINDOW_MILLIS - 1_000);
    boolean allowed = random.nextBoolean();
    long wait = allowed ? 0 : random.nextInt(4) == 0 ? Decision.NEVER : 1 + number(2 * window);
    long reset = NOW + 1 + number(window - 1);
    long remaining = allowed ? number(limit) : 0;
    return new PolicyDecision(
        name(),
        window,
        new Decision(allowed, limit, remaining, reset, wait, 0, Source.LOCAL, false));
  }

  /** Up to a bound, of any number of digits. */
  private long number(long bound) {
    return Math.floorMod(random.nextLong() >>> random.nextInt(64), bound + 1);
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int codePoint = switch (random.nextInt(4)) {
        case 0 -> random.nextInt(0x20);
        case 1 -> "\"\\%;,= '()".codePointAt(random.nextInt(10));
        case 2 -> 0x20 + random.nextInt(0x60);
        default -> random.nextInt(Character.MAX_CODE_POINT + 1);
      };
      boolean surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
      name.appendCodePoint(surrogate ? '?' : codePoint);
    }
    return name.toString();
  }
}
