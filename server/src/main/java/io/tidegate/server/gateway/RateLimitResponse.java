package io.tidegate.server.gateway;

import io.tidegate.model.Decision;
import io.tidegate.rules.Match;
import io.tidegate.server.service.DescriptorResult;
import io.tidegate.server.service.RuleResult;

/** Writes the message {@code envoy.service.ratelimit.v3.RateLimitResponse}. */
final class RateLimitResponse {

  /** All numbers of the message have 32 bits. */
  private static final long MAX_UINT32 = 0xffff_ffffL;

  // Fields of RateLimitResponse
  private static final int OVERALL_CODE = 1;
  private static final int STATUSES = 2;

  // Fields of RateLimitResponse.DescriptorStatus
  private static final int CODE = 1;
  private static final int CURRENT_LIMIT = 2;
  private static final int LIMIT_REMAINING = 3;
  private static final int DURATION_UNTIL_RESET = 4;

  // Fields of RateLimitResponse.RateLimit
  private static final int REQUESTS_PER_UNIT = 1;
  private static final int UNIT = 2;
  private static final int NAME = 3;

  /** The field of google.protobuf.Duration. */
  private static final int SECONDS = 1;

  // Codes
  private static final int OK = 1;
  private static final int OVER_LIMIT = 2;

  private RateLimitResponse() {}

  static void write(ProtobufWriter message, RuleResult result) {
    message.varint(OVERALL_CODE, result.allowed() ? OK : OVER_LIMIT);
    for (int i = 0; i < result.descriptors().size(); i++) {
      int status = message.begin(STATUSES);
      write(message, result.descriptors().get(i), result.nowMillis());
      message.end(status);
    }
  }

  private static void write(ProtobufWriter message, DescriptorResult result, long nowMillis) {
    message.varint(CODE, result.allowed() ? OK : OVER_LIMIT);
    Match match = result.match();
    Decision decision = result.decision();
    if (match != null && decision != null) {
      int limit = message.begin(CURRENT_LIMIT);
      message.varint(REQUESTS_PER_UNIT, uint32(decision.limit()));
      message.varint(UNIT, Unit.numberOf(result.windowMillis()));
      if (!match.rule().source().isEmpty()) { // else the gateway sent the limit, without a name
        message.string(NAME, name(match));
      }
      message.end(limit);
      message.varint(LIMIT_REMAINING, uint32(decision.remaining()));
      int duration = message.begin(DURATION_UNTIL_RESET);
      message.varint(SECONDS, seconds(result.allowed(), decision, nowMillis));
      message.end(duration);
    } else if (match != null) { // unlimited
      message.varint(LIMIT_REMAINING, MAX_UINT32);
    }
  }

  /** The name of a rule for clients: its own, or else its path. */
  static String name(Match match) {
    String name = match.rule().name();
    return name.isEmpty() ? match.rule().path() : name;
  }

  private static long uint32(long value) {
    return Math.min(value, MAX_UINT32);
  }

  /**
   * The time until a retry makes sense if denied, and otherwise until the end of the fixed window.
   * Rounded up, because Envoy ignores fractions.
   */
  private static long seconds(boolean allowed, Decision decision, long nowMillis) {
    long millis = allowed || decision.retryAfterMillis() == Decision.NEVER
        ? decision.resetAtMillis() - nowMillis
        : decision.retryAfterMillis();
    return Math.max(1, (millis + 999) / 1_000);
  }
}
