package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.log.RequestLog;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.service.Refusal.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The bound on a workspace's requests per minute, over all keys and operations. A throttle that
 * fails admits the request: it protects the service, and must not cause an outage of its own.
 */
final class WorkspaceThrottle {

  private final RateLimiter limiter;

  WorkspaceThrottle(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /** Counts the request against its workspace's throttle, if the workspace has one. */
  Step<Admitted> admit(ServiceRequest request, Caller caller) {
    LimitRequest throttle = caller.workspace().throttle();
    if (throttle == null) {
      return new Admitted(request, caller, null).admitted();
    }
    return Step.await(
        acquire(throttle),
        request.executor(),
        decision -> {
          Admitted admitted = new Admitted(request, caller, decision);
          return decision.allowed()
              ? admitted.admitted()
              : admitted.refuse(Reason.WORKSPACE_THROTTLED);
        },
        failure -> {
          RequestLog.warn(
              request.id(),
              request.path(),
              "workspace throttle failed; the request is admitted",
              "workspace",
              caller.workspace().id(),
              "reason",
              RootCause.message(failure));
          return new Admitted(request, caller, null).admitted();
        });
  }

  private CompletionStage<Decision> acquire(LimitRequest throttle) {
    try {
      return limiter.tryAcquireAsync(throttle);
    } catch (RuntimeException e) { // recovered from like a failure that comes later
      return CompletableFuture.failedFuture(e);
    }
  }
}
