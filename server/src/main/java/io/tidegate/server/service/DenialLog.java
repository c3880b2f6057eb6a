package io.tidegate.server.service;

import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.log.LineBudget;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.log.LogLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Optional log of denials, with the counts that led to them. The number of denials depends on
 * clients, so at most {@value #LINES_PER_SECOND} lines are written per second; the field
 * {@code suppressed} of the next line counts the others.
 */
final class DenialLog {

  static final int LINES_PER_SECOND = 10;

  private final boolean on;
  private final LineBudget budget;

  DenialLog(LogDenials which) {
    this(which, new LineBudget(LINES_PER_SECOND));
  }

  DenialLog(LogDenials which, LineBudget budget) {
    this.on = which == LogDenials.SAMPLED;
    this.budget = budget;
  }

  /** Logs the decision if it is a denial. */
  void log(String requestId, LimitRequest request, Decision decision) {
    if (on && !decision.allowed() && Log.shows(LogLevel.INFO)) {
      budget
          .take()
          .ifPresent(
              suppressed -> Log.info("denied", fields(requestId, request, decision, suppressed)));
    }
  }

  private static Object[] fields(
      String requestId, LimitRequest request, Decision decision, long suppressed) {
    List<Object> fields = new ArrayList<>(List.of(
        "requestId",
        requestId,
        "workspace",
        request.scope().workspace(),
        "namespace",
        request.scope().namespace(),
        "identifier",
        request.identifier(),
        "limit",
        decision.limit(),
        "windowMillis",
        request.scope().windowMillis(),
        "effectiveCount",
        decision.effectiveCount(),
        "cost",
        request.cost(),
        "degraded",
        decision.degraded()));
    if (decision.retryAfterMillis() != Decision.NEVER) {
      Collections.addAll(fields, "retryAfterMillis", decision.retryAfterMillis());
    }
    if (suppressed > 0) {
      Collections.addAll(fields, "suppressed", suppressed);
    }
    return fields.toArray();
  }
}
