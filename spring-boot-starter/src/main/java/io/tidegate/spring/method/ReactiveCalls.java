package io.tidegate.spring.method;

import io.tidegate.rules.web.WebDecision;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls of methods that return a reactive type. Loaded only if Reactor is on the class path. */
final class ReactiveCalls {

  private ReactiveCalls() {}

  /** A publisher that decides, and calls the method, once for each subscription. */
  static Object decideOnSubscription(LimitedMethod method, MethodInvocation invocation) {
    // A call of proceed() advances the invocation, so each subscription needs a copy of it as it is
    // now.
    MethodInvocation first = ((ProxyMethodInvocation) invocation).invocableClone();
    ReactiveAdapter adapter = adapter(method);
    return adapter.fromPublisher(
        adapter.isMultiValue()
            ? Flux.defer(
                () -> decide(method, first).flatMapMany(each -> result(method, first, each)))
            : Mono.defer(() ->
                decide(method, first).flatMap(each -> Mono.from(result(method, first, each)))));
  }

  private record Decided(MethodCall call, WebDecision decision) {}

  private static Mono<Decided> decide(LimitedMethod method, MethodInvocation invocation) {
    return method.readsPrincipal()
        ? Principals.Reactive.ofSubscriber()
            .flatMap(principal -> decide(method, invocation, principal))
        : decide(method, invocation, Optional.empty());
  }

  private static Mono<Decided> decide(
      LimitedMethod method, MethodInvocation invocation, Optional<String> principal) {
    MethodCall call = new MethodCall(
        invocation.getThis(),
        method.method(),
        invocation.getArguments(),
        () -> principal.orElse(null));
    CompletableFuture<WebDecision> decided = method.decide(call).toCompletableFuture();
    return (decided.isDone()
            ? Mono.just(decided.join())
            : Mono.fromFuture(decided)
                .publishOn(Schedulers.parallel())) // off the thread of the origin
        .map(decision -> new Decided(call, decision));
  }

  private static Publisher<Object> result(
      LimitedMethod method, MethodInvocation first, Decided decided) {
    try {
      MethodInvocation invocation = ((ProxyMethodInvocation) first).invocableClone();
      Object result = decided.decision().allowed()
          ? invocation.proceed()
          : method.denied(decided.call(), decided.decision());
      return adapter(method)
          .toPublisher(Objects.requireNonNull(result, "a reactive method must not return null"));
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }

  private static ReactiveAdapter adapter(LimitedMethod method) {
    return Objects.requireNonNull(
        ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.method().getReturnType()));
  }
}
