package io.tidegate.server.gateway;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a forward-auth call, which the configuration of a proxy contains.
 *
 * @param domain the domain of the rules
 * @param descriptors the descriptors to decide, in order
 * @param hops the number of trusted proxies between the client and this server
 * @param deniedStatus the status of a denial
 * @param headers the form of the headers that describe the decision; null for none
 * @param secret the secret of the gateway port; null if the parameters do not contain it
 */
record ForwardAuthQuery(
    String domain,
    List<List<EntryTemplate>> descriptors,
    int hops,
    int deniedStatus,
    @Nullable DecisionHeaders headers,
    @Nullable String secret) {

  /** The status for proxies that pass a denial on. */
  static final int TOO_MANY_REQUESTS = 429;

  /** The status for nginx, which turns a 429 of an authorization request into a 500. */
  static final int FORBIDDEN = 403;

  private static final int MAX_HOPS = 100;

  /** More than any sensible configuration has. */
  private static final int MAX_PARAMETERS = 100;

  private static final Set<String> NAMES =
      Set.of("domain", "descriptor", "hops", "denied", "headers", "secret");

  /**
   * Parses a query.
   *
   * @throws ProblemException if a parameter is missing or invalid
   */
  static ForwardAuthQuery parse(@Nullable String query) {
    Map<String, List<String>> parameters = decode(query == null ? "" : query);
    for (String name : parameters.keySet()) {
      if (!NAMES.contains(name)) {
        throw invalid(name, "is not a parameter of this route");
      }
    }
    return new ForwardAuthQuery(
        required(parameters, "domain"),
        descriptors(parameters.getOrDefault("descriptor", List.of())),
        optional(parameters, "hops", ForwardAuthQuery::hops, 1),
        optional(parameters, "denied", ForwardAuthQuery::deniedStatus, TOO_MANY_REQUESTS),
        headers(parameters),
        single(parameters, "secret"));
  }

  private static Map<String, List<String>> decode(String query) {
    try {
      return new QueryStringDecoder(query, StandardCharsets.UTF_8, false, MAX_PARAMETERS, true)
          .parameters();
    } catch (IllegalArgumentException e) { // with the part that is not valid
      throw new ProblemException(Problem.invalidParameters(String.valueOf(e.getMessage())));
    }
  }

  private static List<List<EntryTemplate>> descriptors(List<String> texts) {
    if (texts.isEmpty()) {
      throw invalid("descriptor", "is required");
    }
    List<List<EntryTemplate>> descriptors = new ArrayList<>(texts.size());
    for (String text : texts) {
      descriptors.add(valid("descriptor", text, EntryTemplate::parse));
    }
    return descriptors;
  }

  private static int hops(String text) {
    if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > MAX_HOPS) {
      throw new IllegalArgumentException("must be between 0 and " + MAX_HOPS + ": " + text);
    }
    return Integer.parseInt(text);
  }

  private static int deniedStatus(String text) {
    return switch (text) {
      case "429" -> TOO_MANY_REQUESTS;
      case "403" -> FORBIDDEN;
      default -> throw new IllegalArgumentException("must be 429 or 403: " + text);
    };
  }

  private static @Nullable DecisionHeaders headers(Map<String, List<String>> parameters) {
    String form = single(parameters, "headers");
    return switch (form == null ? "draft-11" : form) {
      case "draft-11" -> DecisionHeaders.DRAFT_11;
      case "draft-06" -> DecisionHeaders.DRAFT_06;
      case "off" -> null;
      default -> throw invalid("headers", "must be draft-11, draft-06 or off: " + form);
    };
  }

  private static String required(Map<String, List<String>> parameters, String name) {
    String value = single(parameters, name);
    if (value == null || value.isEmpty()) {
      throw invalid(name, "is required");
    }
    return value;
  }

  private static <T> T optional(
      Map<String, List<String>> parameters, String name, Function<String, T> parser, T absent) {
    String value = single(parameters, name);
    return value == null ? absent : valid(name, value, parser);
  }

  private static @Nullable String single(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw invalid(name, "must not be given twice");
    }
    return values.isEmpty() ? null : values.get(0);
  }

  private static <T> T valid(String name, String value, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw invalid(name, String.valueOf(e.getMessage()));
    }
  }

  private static ProblemException invalid(String name, String message) {
    return new ProblemException(Problem.invalidParameter(name, message));
  }
}
