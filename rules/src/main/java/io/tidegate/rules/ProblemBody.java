package io.tidegate.rules;

import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * The body of a response that denies a request: a problem of RFC 9457. That of a used-up limit has
 * the type that the Internet-Draft "RateLimit header fields for HTTP" defines.
 *
 * <pre>{@code
 * {"type": "https://iana.org/assignments/http-problem-types#quota-exceeded", ...
 *  "violated-policies": ["login"]}
 * }</pre>
 */
public final class ProblemBody {

  /** The media type of the body. */
  public static final String CONTENT_TYPE = "application/problem+json";

  /** The type of the problem. */
  public static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private static final String TITLE =
      "Request cannot be satisfied as assigned quota has been exceeded";

  private ProblemBody() {}

  /**
   * Returns the body for a denied request: {@code ProblemBody.quotaExceeded(429, decisions)}.
   *
   * @param status the status of the response
   * @param decisions the decisions on the request; the body names the policies of the denials
   * @return JSON in ASCII
   */
  public static String quotaExceeded(int status, List<PolicyDecision> decisions) {
    StringJoiner policies = new StringJoiner(",", "[", "]");
    decisions.stream()
        .filter(decision -> !decision.decision().allowed())
        .forEach(denial -> policies.add(quoted(denial.policy())));
    return "{\"type\":\"" + QUOTA_EXCEEDED + "\",\"title\":\"" + TITLE + "\",\"status\":" + status
        + ",\"detail\":\"" + detail(decisions) + "\",\"violated-policies\":" + policies + "}";
  }

  /**
   * Returns the body for a request without the key that a limit needs:
   * {@code ProblemBody.missingKey(403, "login")}.
   *
   * @param status the status of the response
   * @param policy the name of the limit
   * @return JSON in ASCII
   */
  public static String missingKey(int status, String policy) {
    return "{\"type\":\"about:blank\",\"title\":\"Request has no key for a rate limit\",\"status\":"
        + status
        + ",\"detail\":\"The limit needs a key that the request does not have.\",\"violated-policies\":["
        + quoted(policy) + "]}";
  }

  private static String detail(List<PolicyDecision> decisions) {
    OptionalLong wait = DecisionHeaders.retryAfterSeconds(decisions);
    if (wait.isEmpty()) {
      return "The limit does not allow this request; waiting does not help.";
    }
    return wait.getAsLong() == 1
        ? "The limit is used up; retry in 1 second."
        : "The limit is used up; retry in " + wait.getAsLong() + " seconds.";
  }

  /** A JSON string in which all characters beyond printable ASCII are escaped. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
