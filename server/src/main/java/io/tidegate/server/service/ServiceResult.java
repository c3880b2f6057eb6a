package io.tidegate.server.service;

import io.tidegate.model.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request: a value, or the refusal that ended it.
 *
 * @param <T> the value
 */
public sealed interface ServiceResult<T> {

  /**
   * The decision of the workspace's throttle on this request.
   *
   * @return null if the workspace has no throttle, if the throttle failed, or if the request was
   *     refused before it
   */
  @Nullable
  Decision throttle();

  /**
   * A request that went through all steps.
   *
   * @param value what the caller asked for
   * @param throttle the decision of the workspace's throttle
   */
  record Success<T>(T value, @Nullable Decision throttle) implements ServiceResult<T> {}

  /**
   * A request that a step refused. Nothing was counted against a limit.
   *
   * @param refusal the reason
   * @param throttle the decision of the workspace's throttle
   */
  record Refused<T>(Refusal refusal, @Nullable Decision throttle) implements ServiceResult<T> {}
}
