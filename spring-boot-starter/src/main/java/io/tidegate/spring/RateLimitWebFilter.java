package io.tidegate.spring;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.ProblemBody;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits the requests of a WebFlux application. It never blocks: a decision that needs a read of
 * Redis continues when the answer arrives.
 *
 * <p>The exchange has the decision as the attribute {@link #DECISION}.
 */
final class RateLimitWebFilter implements WebFilter, Ordered {

  /** The attribute of an exchange with its {@link WebDecision}. */
  static final String DECISION = WebDecision.class.getName();

  private static final MediaType PROBLEM = MediaType.parseMediaType(ProblemBody.CONTENT_TYPE);

  private static final boolean HAS_SECURITY = ClassUtils.isPresent(
      "org.springframework.security.authentication.AnonymousAuthenticationToken",
      RateLimitWebFilter.class.getClassLoader());

  private final WebLimiter limiter;
  private final boolean readsPrincipal;
  private final int order;

  /**
   * A filter for some rules.
   *
   * @param readsPrincipal whether a rule needs the principal
   * @param order the position among all filters
   */
  RateLimitWebFilter(WebLimiter limiter, boolean readsPrincipal, int order) {
    this.limiter = limiter;
    this.readsPrincipal = readsPrincipal;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return readsPrincipal
        ? exchange
            .getPrincipal()
            .mapNotNull(RateLimitWebFilter::name)
            .defaultIfEmpty("")
            .flatMap(name -> filter(exchange, chain, name.isEmpty() ? null : name))
        : filter(exchange, chain, null);
  }

  private Mono<Void> filter(
      ServerWebExchange exchange, WebFilterChain chain, @Nullable String principal) {
    CompletableFuture<WebDecision> decision =
        limiter.decide(new ExchangeRequest(exchange, principal)).toCompletableFuture();
    // Without a read, on the same thread. After one, on a thread that the application may use: the
    // thread that read the answer serves all requests that wait for Redis.
    return decision.isDone() && !decision.isCompletedExceptionally()
        ? apply(decision.join(), exchange, chain)
        : Mono.fromFuture(decision, true)
            .publishOn(Schedulers.parallel())
            .flatMap(made -> apply(made, exchange, chain));
  }

  /** The name of a user; null for the anonymous user, who is many. */
  private static @Nullable String name(Principal principal) {
    return HAS_SECURITY && principal instanceof AnonymousAuthenticationToken
        ? null
        : principal.getName();
  }

  private static Mono<Void> apply(
      WebDecision decision, ServerWebExchange exchange, WebFilterChain chain) {
    if (decision.decisions().isEmpty() && decision.allowed()) {
      return chain.filter(exchange);
    }
    ServerHttpResponse response = exchange.getResponse();
    show(decision, response.getHeaders());
    exchange.getAttributes().put(DECISION, decision);
    if (decision.allowed()) {
      return chain.filter(exchange);
    }
    response.setStatusCode(HttpStatusCode.valueOf(decision.status()));
    response.getHeaders().setContentType(PROBLEM);
    byte[] body = decision.body().getBytes(StandardCharsets.US_ASCII);
    response.getHeaders().setContentLength(body.length);
    DataBuffer buffer = response.bufferFactory().wrap(body);
    return response.writeWith(Mono.just(buffer));
  }

  /** Adds to the lists that the other filter may have written, and replaces other headers. */
  private static void show(WebDecision decision, HttpHeaders headers) {
    decision.headers().forEach((name, value) -> {
      if (name.equals(DecisionHeaders.POLICY_FIELD) || name.equals(DecisionHeaders.STATE_FIELD)) {
        headers.add(name, value);
      } else {
        headers.set(name, value);
      }
    });
  }
}
