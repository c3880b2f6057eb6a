package io.tidegate.rules;

import io.tidegate.model.Decision;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

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

  /** Length of most items: a name of 20 characters and two numbers. */
  private static final int USUAL_LENGTH = 48;

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
    StringBuilder list = new StringBuilder(decisions.size() * USUAL_LENGTH);
    for (PolicyDecision decision : decisions) {
      appendQuoted(startItem(list), decision.policy())
          .append(QUOTA)
          .append(decision.decision().limit())
          .append(WINDOW)
          .append(seconds(decision.windowMillis()));
    }
    return list.toString();
  }

  /** With the binding limit first, since many clients read the first item only. */
  private static String states(List<PolicyDecision> decisions, long nowMillis) {
    StringBuilder list = new StringBuilder(decisions.size() * USUAL_LENGTH);
    int binding = bindingIndex(decisions);
    appendState(list, decisions.get(binding), nowMillis);
    for (int i = 0; i < decisions.size(); i++) {
      if (i != binding) {
        appendState(list, decisions.get(i), nowMillis);
      }
    }
    return list.toString();
  }

  private static void appendState(StringBuilder list, PolicyDecision state, long nowMillis) {
    Decision decision = state.decision();
    appendQuoted(startItem(list), state.policy()).append(REMAINING).append(decision.remaining());
    OptionalLong wait = waitSeconds(decision, nowMillis);
    if (wait.isPresent()) {
      list.append(TIME).append(wait.getAsLong());
    }
  }

  private static StringBuilder startItem(StringBuilder list) {
    return list.isEmpty() ? list : list.append(", ");
  }

  /**
   * Returns the decision that a client meets first: the denial with the longest wait, otherwise the
   * one with the least left: {@code DecisionHeaders.binding(decisions).policy()}.
   *
   * @param decisions the decisions on one request, at least one
   * @return one of them
   */
  public static PolicyDecision binding(List<PolicyDecision> decisions) {
    return decisions.get(bindingIndex(decisions));
  }

  private static int bindingIndex(List<PolicyDecision> decisions) {
    int binding = 0;
    for (int i = 1; i < decisions.size(); i++) {
      if (bindsMore(decisions.get(i).decision(), decisions.get(binding).decision())) {
        binding = i;
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

  static String quoted(String name) {
    return appendQuoted(new StringBuilder(name.length() + 2), name).toString();
  }

  /**
   * Appends a String of RFC 9651, which has printable ASCII characters only. All others are
   * percent-encoded in UTF-8, and so is the percent sign, so that different names stay different.
   */
  private static StringBuilder appendQuoted(StringBuilder list, String name) {
    list.append('"');
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c > '~') {
        appendEncoded(list, name.substring(i)); // rare, so the rest may be slow
        break;
      }
      append(list, c);
    }
    return list.append('"');
  }

  private static void appendEncoded(StringBuilder list, String text) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      append(list, (char) (b & 0xff));
    }
  }

  private static void append(StringBuilder list, char c) {
    if (c < ' ' || c > '~' || c == '%') {
      list.append('%').append(HEX.toHexDigits((byte) c));
    } else if (c == '"' || c == '\\') {
      list.append('\\').append(c);
    } else {
      list.append(c);
    }
  }
}
