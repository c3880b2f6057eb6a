package io.tidegate.spring.method;

import io.tidegate.rules.web.WebDecision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;

/**
 * Decides on each call of a limited method, in the way of its return type. Thread-safe.
 *
 * <p>A blocking method waits for the decision, which takes up to 300 ms if the origin must be read.
 * A method that returns a {@code CompletionStage} or a reactive type does not: if the origin must
 * be read, the method runs later, on another thread.
 */
final class RateLimitedInterceptor implements MethodInterceptor {

  private final MethodLimits limits;

  /** Runs asynchronous methods whose decision needed a read of the origin. */
  private final Supplier<Executor> executor;

  RateLimitedInterceptor(MethodLimits limits, Supplier<Executor> executor) {
    this.limits = limits;
    this.executor = executor;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    LimitedMethod method = target == null || isLimitedItself(target)
        ? null
        : limits.find(invocation.getMethod(), target.getClass());
    if (method == null) {
      return invocation.proceed();
    }
    return switch (method.result()) {
      case VALUE -> blocking(method, invocation);
      case STAGE -> async(method, invocation);
      case PUBLISHER -> ReactiveCalls.decideOnSubscription(method, invocation);
    };
  }

  /** Whether the target is a limited bean that another bean method returned again. */
  private boolean isLimitedItself(Object target) {
    return target instanceof Advised proxy && limits.isLimited(proxy);
  }

  private static @Nullable Object blocking(LimitedMethod method, MethodInvocation invocation)
      throws Throwable {
    MethodCall call = call(method, invocation);
    WebDecision decision = method.decide(call).toCompletableFuture().join();
    return decision.allowed() ? invocation.proceed() : method.denied(call, decision);
  }

  private @Nullable Object async(LimitedMethod method, MethodInvocation invocation)
      throws Throwable {
    MethodCall call = call(method, invocation);
    CompletableFuture<WebDecision> decided = method.decide(call).toCompletableFuture();
    if (!decided.isDone()) {
      MethodInvocation later = ((ProxyMethodInvocation) invocation).invocableClone();
      return decided.thenComposeAsync(
          decision -> stage(method, call, later, decision), executor.get());
    }
    WebDecision decision = decided.join();
    return decision.allowed() ? invocation.proceed() : stage(method, call, invocation, decision);
  }

  private static CompletionStage<@Nullable Object> stage(
      LimitedMethod method, MethodCall call, MethodInvocation invocation, WebDecision decision) {
    try {
      Object result = decision.allowed() ? invocation.proceed() : method.denied(call, decision);
      @SuppressWarnings("unchecked") // the return type was checked
      CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>) result;
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static MethodCall call(LimitedMethod method, MethodInvocation invocation) {
    return new MethodCall(
        invocation.getThis(),
        method.method(),
        invocation.getArguments(),
        () -> Principals.ofThread()); // a method reference would load Spring Security always
  }
}
