package io.tidegate.server.gateway;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.Match;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.ProblemBody;
import io.tidegate.server.service.DescriptorResult;
import io.tidegate.server.service.RuleResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an answer beside the decision: headers that Envoy adds to its response, the body of
 * a response that denies, and metadata for Envoy's other filters.
 *
 * @param headers the headers; null for none, and for no body
 * @param metadata whether to send metadata
 */
record ResponseExtras(@Nullable DecisionHeaders headers, boolean metadata) {

  // Fields of RateLimitResponse
  private static final int RESPONSE_HEADERS_TO_ADD = 3;
  private static final int RAW_BODY = 5;
  private static final int DYNAMIC_METADATA = 6;

  // Fields of HeaderValue
  private static final int KEY = 1;
  private static final int VALUE = 2;

  /** Envoy's default. */
  private static final int STATUS_OF_DENIALS = 429;

  void write(ProtobufWriter message, RateLimitRequest request, RuleResult result) {
    if (headers != null) {
      List<PolicyDecision> policies = policies(result);
      Map<String, String> fields = result.allowed()
          ? headers.of(policies, result.nowMillis())
          : headers.ofDenial(policies, result.nowMillis());
      fields.forEach((name, value) -> writeHeader(message, name, value));
      if (!result.allowed()) {
        writeHeader(message, "Content-Type", ProblemBody.CONTENT_TYPE);
        message.string(RAW_BODY, ProblemBody.quotaExceeded(STATUS_OF_DENIALS, policies));
      }
    }
    if (metadata) {
      int struct = message.begin(DYNAMIC_METADATA);
      DynamicMetadata.write(message, request, result);
      message.end(struct);
    }
  }

  private static void writeHeader(ProtobufWriter message, String name, String value) {
    int header = message.begin(RESPONSE_HEADERS_TO_ADD);
    message.string(KEY, name);
    message.string(VALUE, value);
    message.end(header);
  }

  /** Without rules in shadow mode, which clients should not see. */
  static List<PolicyDecision> policies(RuleResult result) {
    List<PolicyDecision> policies = new ArrayList<>();
    for (DescriptorResult each : result.descriptors()) {
      Match match = each.match();
      if (match != null && each.decision() != null && !match.rule().shadow()) {
        policies.add(new PolicyDecision(
            RateLimitResponse.name(match), each.windowMillis(), each.decision()));
      }
    }
    return policies;
  }
}
