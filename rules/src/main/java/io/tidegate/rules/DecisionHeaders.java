package io.tidegate.rules;

import io.tidegate.model.Decision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * Response headers that describe decisions to clients.
 *
 * <p>Two generations of the Internet-Draft "RateLimit header fields for HTTP" are supported. The
 * current one, revisions 08 to 11, has two lists of named policies:
 *
 * <pre>
 * RateLimit-Policy: "login";q=10;w=60, "daily";q=1000;w=86400
 * RateLimit: "login";r=0;t=7, "daily";r=412;t=30122
 * Retry-After: 7
 * </pre>
 *
 * <p>The old one, revisions 00 to 06, has three fields with a number each, for one limit:
 *
 * <pre>
 * RateLimit-Limit: 10
 * RateLimit-Remaining: 0
 * RateLimit-Reset: 7
 * Retry-After: 7
 * </pre>
 *
 * <p>All methods are pure functions. Times are whole seconds, rounded up, so that a client that
 * waits as long as a header says is not early.
 */
public enum DecisionHeaders {
  /** {@code RateLimit-Policy} and {@code RateLimit} with an item per policy. */
  DRAFT_11 {
    @Override
    void add(Map<String, String> headers, List<PolicyDecision> decisions, long nowMillis) {
      headers.put(POLICY_FIELD, policies(decisions));
      headers.put(STATE_FIELD, states(decisions, nowMillis));
    }
  },

  /** {@code RateLimit-Limit}, {@code RateLimit-Remaining} and {@code RateLimit-Reset}. */
  DRAFT_06 {
    @Override
    void add(Map<String, String> headers, List<PolicyDecision> decisions, long nowMillis) {
      Decision decision = binding(decisions).decision();
      headers.put("RateLimit-Limit", Long.toString(decision.limit()));
      headers.put("RateLimit-Remaining", Long.toString(decision.remaining()));
      headers.put(
          "RateLimit-Reset",
          Long.toString(
              waitSeconds(decision, nowMillis).orElseGet(() -> resetSeconds(decision, nowMillis))));
    }
  };

  /** Lists the policies of the current generation. */
  public static final String POLICY_FIELD = "RateLimit-Policy";

  /** Lists what is left of each policy, in the current generation. */
  public static final String STATE_FIELD = "RateLimit";

  /** The seconds after which a denied request would be allowed, in every generation. */
  public static final String RETRY_AFTER_FIELD = "Retry-After";

  // The working group discusses other letters for the parameters, so they are named once.
  private static final String QUOTA = ";q=";
  private static final String WINDOW = ";w=";
  private static final String REMAINING = ";r=";
  private static final String TIME = ";t=";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /**
   * Returns the headers of a response, in a stable order.
   *
   * <pre>{@code
   * DecisionHeaders.DRAFT_11.of(decisions, clock.millis()).forEach(response::addHeader);
   * }</pre>
   *
   * @param decisions the decisions on one request, in the order of its limits
   * @param nowMillis the time of the response, in milliseconds since 1970
   * @return names and values; empty if there are no decisions
   */
  public Map<String, String> of(List<PolicyDecision> decisions, long nowMillis) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!decisions.isEmpty()) {
      add(headers, decisions, nowMillis);
    }
    return headers;
  }

  /**
   * Returns the headers of a response that denies a request: those of {@link #of}, and
   * {@code Retry-After} if waiting helps.
   *
   * <p>{@code DecisionHeaders.DRAFT_11.ofDenial(decisions, clock.millis())}
   *
   * @param decisions the decisions on one request, in the order of its limits
   * @param nowMillis the time of the response, in milliseconds since 1970
   * @return names and values
   */
  public Map<String, String> ofDenial(List<PolicyDecision> decisions, long nowMillis) {
    Map<String, String> headers = of(decisions, nowMillis);
    retryAfterSeconds(decisions)
        .ifPresent(seconds -> headers.put(RETRY_AFTER_FIELD, Long.toString(seconds)));
    return headers;
  }

  abstract void add(Map<String, String> headers, List<PolicyDecision> decisions, long nowMillis);

  /**
   * Returns the value of {@code Retry-After}: the seconds until all decisions would be allowed.
   *
   * <p>{@code DecisionHeaders.retryAfterSeconds(decisions).ifPresent(wait -> ...)}
   *
   * @param decisions the decisions on one request
   * @return at least 1; empty if no decision is a denial, and empty if no wait helps
   */
  public static OptionalLong retryAfterSeconds(List<PolicyDecision> decisions) {
    long millis = decisions.stream()
        .mapToLong(decision -> decision.decision().retryAfterMillis())
        .max()
        .orElse(0);
    return millis == 0 || millis == Decision.NEVER
        ? OptionalLong.empty()
        : OptionalLong.of(seconds(millis));
  }

  /** In the order of the limits, since the value should not change from response to response. */
  private static String policies(List<PolicyDecision> decisions) {
    StringJoiner list = new StringJoiner(", ");
    for (PolicyDecision decision : decisions) {
      list.add(quoted(decision.policy())
          + QUOTA
          + decision.decision().limit()
          + WINDOW
          + seconds(decision.windowMillis()));
    }
    return list.toString();
  }

  /** With the binding limit first, since many clients read the first item only. */
  private static String states(List<PolicyDecision> decisions, long nowMillis) {
    List<PolicyDecision> sorted = new ArrayList<>(decisions);
    PolicyDecision binding = binding(decisions);
    sorted.remove(binding);
    sorted.add(0, binding);
    StringJoiner list = new StringJoiner(", ");
    for (PolicyDecision decision : sorted) {
      StringBuilder item = new StringBuilder(quoted(decision.policy()));
      item.append(REMAINING).append(decision.decision().remaining());
      waitSeconds(decision.decision(), nowMillis)
          .ifPresent(seconds -> item.append(TIME).append(seconds));
      list.add(item);
    }
    return list.toString();
  }

  /** The limit that a client meets first: the longest denial, otherwise the least left. */
  private static PolicyDecision binding(List<PolicyDecision> decisions) {
    PolicyDecision binding = decisions.get(0);
    for (PolicyDecision candidate : decisions) {
      if (bindsMore(candidate.decision(), binding.decision())) {
        binding = candidate;
      }
    }
    return binding;
  }

  private static boolean bindsMore(Decision candidate, Decision other) {
    return candidate.retryAfterMillis() == other.retryAfterMillis()
        ? candidate.remaining() < other.remaining()
        : candidate.retryAfterMillis() > other.retryAfterMillis();
  }

  /** The seconds until more is left: the end of the window if allowed; empty if never. */
  private static OptionalLong waitSeconds(Decision decision, long nowMillis) {
    if (decision.allowed()) {
      return OptionalLong.of(resetSeconds(decision, nowMillis));
    }
    return decision.retryAfterMillis() == Decision.NEVER
        ? OptionalLong.empty()
        : OptionalLong.of(seconds(decision.retryAfterMillis()));
  }

  /** At least 1: the clock may have passed the end of the window since the decision. */
  private static long resetSeconds(Decision decision, long nowMillis) {
    return seconds(Math.max(1, decision.resetAtMillis() - nowMillis));
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1_000;
  }

  /**
   * A String of RFC 9651, which has printable ASCII characters only. All others are percent-encoded
   * in UTF-8, and so is the percent sign, so that different names stay different.
   */
  static String quoted(String name) {
    StringBuilder quoted = new StringBuilder(name.length() + 2).append('"');
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (b < ' ' || b > '~' || b == '%') { // bytes beyond ASCII are negative
        quoted.append('%').append(HEX.toHexDigits(b));
      } else if (b == '"' || b == '\\') {
        quoted.append('\\').append((char) b);
      } else {
        quoted.append((char) b);
      }
    }
    return quoted.append('"').toString();
  }
}
