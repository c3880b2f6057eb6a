package io.tidegate.server.service;

import io.tidegate.model.Decision;
import io.tidegate.server.catalog.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A request of an authenticated caller whose workspace is not throttled.
 *
 * @param request the request
 * @param caller the root key and its workspace
 * @param throttle the decision of the workspace's throttle; null if it has none or if it failed
 */
record Admitted(
    ServiceRequest request, Caller caller, @Nullable Decision throttle) {

  /** The step that admits the request. */
  Step<Admitted> admitted() {
    return succeed(this);
  }

  <T> Step<T> succeed(T value) {
    return Step.finished(new ServiceResult.Success<>(value, throttle));
  }

  <T> Step<T> refuse(Refusal refusal) {
    return Step.finished(new ServiceResult.Refused<>(refusal, throttle));
  }
}
