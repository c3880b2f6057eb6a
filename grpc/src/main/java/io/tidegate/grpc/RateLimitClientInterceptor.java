package io.tidegate.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Delays the calls of a gRPC client, so that it stays within the limits of another service.
 *
 * <pre>{@code
 * CallLimit fiftyPerSecond = CallLimit.all(
 *     LimitRequest.of("default", "payments", "all", Limit.perSecond(50)));
 * Channel payments = ClientInterceptors.intercept(
 *     channel, new RateLimitClientInterceptor(limiter, fiftyPerSecond, Duration.ofSeconds(2)));
 * }</pre>
 *
 * <p>A call starts when its limit has room; calls that wait for the same limit start in their
 * order. A call for which there is no room within the longest wait, or before its deadline if that
 * is earlier, fails with {@code RESOURCE_EXHAUSTED} as soon as this is certain, and is not sent. No
 * thread is blocked, except that of a blocking stub. A call that is cancelled while it waits gives
 * up its place.
 *
 * <p>Each call takes from the limit once; attempts that the retry policy of the channel adds are
 * not counted.
 */
public final class RateLimitClientInterceptor implements ClientInterceptor {

  private final RateLimiter limiter;
  private final CallLimit limit;
  private final Duration maxWait;
  private final Executor executor;

  /**
   * Creates an interceptor: {@code new RateLimitClientInterceptor(limiter, limit,
   * Duration.ofSeconds(2))}. Calls that have waited are started by their own executor, or by the
   * common pool if they have none.
   *
   * @param limiter counts the calls
   * @param limit the limit of each call
   * @param maxWait longest wait; zero does not wait
   * @throws IllegalArgumentException if the wait is negative
   */
  public RateLimitClientInterceptor(RateLimiter limiter, CallLimit limit, Duration maxWait) {
    this(limiter, limit, maxWait, ForkJoinPool.commonPool());
  }

  /**
   * Creates an interceptor with an executor: {@code new RateLimitClientInterceptor(limiter, limit,
   * Duration.ofSeconds(2), channelExecutor)}.
   *
   * @param limiter counts the calls
   * @param limit the limit of each call
   * @param maxWait longest wait; zero does not wait
   * @param executor starts calls that have waited and have no executor of their own
   * @throws IllegalArgumentException if the wait is negative
   */
  public RateLimitClientInterceptor(
      RateLimiter limiter, CallLimit limit, Duration maxWait, Executor executor) {
    this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    this.limit = Objects.requireNonNull(limit, "limit must not be null");
    this.maxWait = Objects.requireNonNull(maxWait, "maxWait must not be null");
    this.executor = Objects.requireNonNull(executor, "executor must not be null");
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait must not be negative: " + maxWait);
    }
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    LimitRequest request = limit.requestFor(method, options);
    if (request == null) {
      return next.newCall(method, options);
    }
    Executor own = options.getExecutor();
    return new WaitingCall<>(
        new Admission(limiter, request, maxWait, options.getDeadline()),
        () -> next.newCall(method, options),
        own == null ? executor : own);
  }
}
