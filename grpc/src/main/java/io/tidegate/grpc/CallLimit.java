package io.tidegate.grpc;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.tidegate.model.LimitRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the limit of a call that a client makes.
 *
 * <pre>{@code
 * CallLimit perMethod = (method, options) -> LimitRequest.of(
 *     "default", "payments", method.getFullMethodName(), Limit.perSecond(50));
 * }</pre>
 */
@FunctionalInterface
public interface CallLimit {

  /**
   * Returns what a call takes. Called for each call, on the thread that makes it.
   *
   * @param method the method that is called
   * @param options the options of the call
   * @return null if the call is not limited
   */
  @Nullable
  LimitRequest requestFor(MethodDescriptor<?, ?> method, CallOptions options);

  /**
   * The same limit for all calls together: {@code CallLimit.all(LimitRequest.of("default",
   * "payments", "all", Limit.perSecond(50)))}.
   *
   * @param request what each call takes
   * @return the limit
   */
  static CallLimit all(LimitRequest request) {
    Objects.requireNonNull(request, "request must not be null");
    return (method, options) -> request;
  }
}
