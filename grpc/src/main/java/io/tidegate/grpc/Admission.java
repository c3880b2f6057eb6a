package io.tidegate.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one call for its limit.
 *
 * @param maxWait longest wait
 * @param deadline the deadline of the call; null if it has none but that of its context
 */
record Admission(
    RateLimiter limiter,
    LimitRequest request,
    Duration maxWait,
    @Nullable Deadline deadline) {

  /**
   * Starts to wait. Completes with whether the call may start; a call whose deadline has passed may
   * do so without being counted, because gRPC then fails it without sending it.
   */
  CompletableFuture<Boolean> begin(Context context) {
    Duration left = left(context);
    return left.isNegative()
        ? CompletableFuture.completedFuture(true)
        : limiter.acquireAsync(request, left);
  }

  /** The status of a call for which there is no room. */
  Status denial(Context context) {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "the call was not sent: the limit \"" + request.scope().namespace()
            + "\" of this client has no room for it within " + maxWait.toMillis() + " ms"
            + (earliest(context) == null ? "" : ", or before its deadline"));
  }

  /** How long the call may wait; negative if its deadline has passed. */
  private Duration left(Context context) {
    Deadline earliest = earliest(context);
    if (earliest == null) {
      return maxWait;
    }
    Duration left = Duration.ofNanos(earliest.timeRemaining(TimeUnit.NANOSECONDS));
    return left.compareTo(maxWait) < 0 ? left : maxWait;
  }

  private @Nullable Deadline earliest(Context context) {
    Deadline ofContext = context.getDeadline();
    if (deadline == null || ofContext == null) {
      return deadline == null ? ofContext : deadline;
    }
    return deadline.minimum(ofContext);
  }
}
