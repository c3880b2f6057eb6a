package io.tidegate.jaxrs;

import io.tidegate.rules.ProblemBody;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides on requests, and answers the denied ones. */
class DecidingFilter implements ContainerRequestFilter {

  /** The property with the list of decisions whose headers the response gets. */
  private static final String DECISIONS = "io.tidegate.jaxrs.decisions";

  private final WebLimiter limiter;
  private final Function<ContainerRequestContext, @Nullable String> address;

  DecidingFilter(WebLimiter limiter, Function<ContainerRequestContext, @Nullable String> address) {
    this.limiter = limiter;
    this.address = address;
  }

  /** Decides before a resource is found, so that requests for unknown paths are limited too. */
  @PreMatching
  static final class BeforeMatching extends DecidingFilter {

    BeforeMatching(
        WebLimiter limiter, Function<ContainerRequestContext, @Nullable String> address) {
      super(limiter, address);
    }
  }

  @Override
  public void filter(ContainerRequestContext context) {
    WebDecision decision = limiter
        .decide(new JaxRsWebRequest(context, address))
        .toCompletableFuture()
        .join();
    List<WebDecision> decisions = new ArrayList<>(decisions(context));
    decisions.add(decision);
    context.setProperty(DECISIONS, decisions);
    context.setProperty(RateLimitFeature.WEB_DECISION, decision);
    decision
        .binding()
        .ifPresent(binding -> context.setProperty(RateLimitFeature.DECISION, binding.decision()));
    if (!decision.allowed()) {
      context.abortWith(Response.status(decision.status())
          .type(ProblemBody.CONTENT_TYPE)
          .entity(decision.body())
          .build());
    }
  }

  /** The decisions on a request so far: those before and after its resource was found. */
  static List<WebDecision> decisions(ContainerRequestContext context) {
    return context.getProperty(DECISIONS) instanceof List<?> list
        ? list.stream().map(WebDecision.class::cast).toList()
        : List.of();
  }
}
