package io.tidegate.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Limits the calls that a gRPC server receives.
 *
 * <pre>{@code
 * WebLimiter limiter = WebLimiter.builder(RateLimiter.inMemory())
 *     .rules(WebRule.named("users")
 *         .path(GrpcRules.service(UsersGrpc.getServiceDescriptor()))
 *         .key(KeyFunction.header("x-api-key"))
 *         .limit(Limit.perMinute(100))
 *         .build())
 *     .build();
 * Server server = ServerBuilder.forPort(9090)
 *     .addService(users)
 *     .intercept(new RateLimitServerInterceptor(limiter))
 *     .build();
 * }</pre>
 *
 * <p>A call is charged when it arrives, once, whatever the number of its messages, and even if the
 * interceptor is added to the server and to a service. A denied call ends with
 * {@code RESOURCE_EXHAUSTED}; {@code google.rpc.RetryInfo} in its details and the trailer
 * {@code retry-after} say when to retry, and {@code grpc-retry-pushback-ms} says it to the retry
 * policy of a client. One without a key that its rule requires ends with {@code PERMISSION_DENIED}.
 * The headers of the decision are in the headers of the response.
 *
 * <p>No thread waits for a decision that needs a read of the origin. The call is then held back and
 * started by an executor; it is not started if the client has cancelled it or its deadline has
 * passed by then.
 */
public final class RateLimitServerInterceptor implements ServerInterceptor {

  /**
   * The decision on the current call, for its handler:
   * {@code RateLimitServerInterceptor.DECISION.get().binding()}.
   */
  public static final Context.Key<WebDecision> DECISION = Context.key("tidegate-decision");

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Set for calls that this interceptor has charged. */
  private final Context.Key<Boolean> charged = Context.key("tidegate-charged");

  private final WebLimiter limiter;
  private final Executor executor;

  /**
   * Creates an interceptor: {@code new RateLimitServerInterceptor(limiter)}. Calls that were held
   * back are started by the common pool.
   *
   * @param limiter decides on the calls
   * @throws IllegalArgumentException if a rule can never apply to a call
   */
  public RateLimitServerInterceptor(WebLimiter limiter) {
    this(limiter, ForkJoinPool.commonPool());
  }

  /**
   * Creates an interceptor with the executor of the server: {@code new
   * RateLimitServerInterceptor(limiter, serverExecutor)}.
   *
   * @param limiter decides on the calls
   * @param executor starts calls that were held back; runs code of the application, which may block
   * @throws IllegalArgumentException if a rule can never apply to a call
   */
  public RateLimitServerInterceptor(WebLimiter limiter, Executor executor) {
    this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    this.executor = Objects.requireNonNull(executor, "executor must not be null");
    limiter.rules().forEach(RateLimitServerInterceptor::check);
  }

  private static void check(WebRule rule) {
    if (!rule.methods().isEmpty() && !rule.methods().contains(GrpcRequest.METHOD)) {
      throw new IllegalArgumentException("rule \"" + rule.name()
          + "\" never applies: gRPC calls have the method POST, not " + rule.methods());
    }
    int segments = rule.path().split("/").length - 1; // without the empty text before the first /
    boolean anyRest = rule.path().endsWith("/**");
    if (anyRest ? segments > 3 : segments != 2) {
      throw new IllegalArgumentException("rule \"" + rule.name()
          + "\" never applies: gRPC calls have paths such as /package.Service/Method, not "
          + rule.path());
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (charged.get() != null) {
      return next.startCall(call, headers);
    }
    CompletableFuture<WebDecision> decision =
        limiter.decide(new GrpcRequest(call, headers)).toCompletableFuture();
    return decision.isDone()
        ? proceed(decision.join(), call, headers, next)
        : hold(decision, call, headers, next);
  }

  private <Q, R> ServerCall.Listener<Q> proceed(
      WebDecision decision, ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!decision.allowed()) {
      Denial.of(decision).answer(call);
      return new ServerCall.Listener<>() {};
    }
    Context context = Context.current().withValues(charged, true, DECISION, decision);
    return Contexts.interceptCall(context, withHeaders(decision, call), headers, next);
  }

  private static <Q, R> ServerCall<Q, R> withHeaders(WebDecision decision, ServerCall<Q, R> call) {
    return decision.headers().isEmpty()
        ? call
        : new SimpleForwardingServerCall<Q, R>(call) {
          @Override
          public void sendHeaders(Metadata headers) {
            Denial.putHeaders(decision.headers(), headers);
            super.sendHeaders(headers);
          }
        };
  }

  @SuppressWarnings("FutureReturnValueIgnored") // failures close the call
  private <Q, R> ServerCall.Listener<Q> hold(
      CompletableFuture<WebDecision> decision,
      ServerCall<Q, R> call,
      Metadata headers,
      ServerCallHandler<Q, R> next) {
    HeldListener<Q> held = new HeldListener<>();
    Executor inContext = Context.current().fixedContextExecutor(executor);
    decision.whenCompleteAsync(
        (decided, failure) -> {
          try {
            if (failure != null) {
              throw new IllegalStateException("cannot decide on a call", failure);
            }
            held.open(
                held.isCancelled()
                    ? new ServerCall.Listener<>() {}
                    : proceed(decided, call, headers, next));
          } catch (RuntimeException | Error e) {
            fail(call, held, e);
          }
        },
        inContext);
    return held;
  }

  /** Ends a call as gRPC does if a handler throws an exception. */
  private static void fail(ServerCall<?, ?> call, HeldListener<?> held, Throwable failure) {
    LOG.log(Level.WARNING, "A gRPC call failed after it had been held back", failure);
    try {
      call.close(Status.UNKNOWN.withCause(failure), new Metadata());
    } catch (IllegalStateException e) {
      LOG.log(Level.DEBUG, "The call is closed already", e);
    }
    held.discard();
  }
}
