package io.tidegate.jaxrs;

import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of a JAX-RS application:
 *
 * <pre>{@code
 * resourceConfig.register(RateLimitFeature.of(limiter).inServletContainer());
 * }</pre>
 *
 * <p>A rule applies to all resources whose path and method it covers; paths are those below the
 * base of the application. Rules that are declared {@linkplain #byAnnotation for annotations} apply
 * to resources with their name in {@link RateLimited} only. All rules of a request are decided on
 * together, after {@link Priorities#AUTHENTICATION} and before {@link Priorities#AUTHORIZATION}.
 *
 * <p>A denied request is answered with status 429, or 403 without a required key, and a problem of
 * RFC 9457. All responses have the headers of the decision. Resources and later filters find it in
 * the properties {@link #WEB_DECISION} and {@link #DECISION} of the request.
 *
 * <p>JAX-RS filters cannot suspend a request: if the origin must be read, a request waits on its
 * thread, for up to 300 ms. Without an origin, no request waits. The limiter is not closed with the
 * application.
 *
 * <p>JAX-RS does not provide the address of a client. Rules with
 * {@link io.tidegate.rules.web.KeyFunction#clientAddress()}, which is the default, need
 * {@link #inServletContainer()} or {@link #remoteAddress}; otherwise all clients share one count,
 * and a warning is logged.
 */
public final class RateLimitFeature implements Feature {

  /** The property with the {@link io.tidegate.rules.web.WebDecision}. */
  public static final String WEB_DECISION = "io.tidegate.jaxrs.webDecision";

  /**
   * The property with the {@link io.tidegate.model.Decision} that the client meets first; absent if
   * no rule applies.
   */
  public static final String DECISION = "io.tidegate.jaxrs.decision";

  /**
   * The property from which the address of the other end of the connection is read, unless the
   * application passes {@linkplain #remoteAddress a function}. A filter of the application may set
   * it.
   */
  public static final String REMOTE_ADDRESS = "io.tidegate.jaxrs.remoteAddress";

  /** Keys may be names of users, and authorization may be expensive. */
  private static final int PRIORITY = (Priorities.AUTHENTICATION + Priorities.AUTHORIZATION) / 2;

  /** Before all filters of the application. */
  private static final int FIRST = 0;

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final WebLimiter limiter;
  private final AtomicBoolean warned = new AtomicBoolean();
  private Set<String> annotated = Set.of();
  private Function<ContainerRequestContext, @Nullable String> address = this::property;
  private boolean beforeMatching;
  private boolean inServletContainer;

  private RateLimitFeature(WebLimiter limiter) {
    this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
  }

  /**
   * Creates the feature: {@code RateLimitFeature.of(limiter)}.
   *
   * @param limiter decides
   * @return the feature, to be registered in one application
   */
  public static RateLimitFeature of(WebLimiter limiter) {
    return new RateLimitFeature(limiter);
  }

  /**
   * Declares rules that apply only to resources with their name in {@link RateLimited}:
   * {@code byAnnotation("uploads")}.
   *
   * @param rules names of rules of the limiter
   * @return this
   */
  public RateLimitFeature byAnnotation(String... rules) {
    limiter.only(List.of(rules)); // rejects unknown names
    annotated = Set.of(rules);
    return this;
  }

  /**
   * Decides on rules by path before a resource is found: {@code beforeMatching()}. Requests for
   * unknown paths are limited too then, and keys cannot be names of users whom a filter
   * authenticates. Rules by annotation are still decided on afterwards, by themselves.
   *
   * @return this
   */
  public RateLimitFeature beforeMatching() {
    beforeMatching = true;
    return this;
  }

  /**
   * Takes the address of the client from {@code HttpServletRequest.getRemoteAddr}:
   * {@code inServletContainer()}.
   *
   * @return this
   */
  public RateLimitFeature inServletContainer() {
    inServletContainer = true;
    return this;
  }

  /**
   * Sets a function that finds the address of the other end of the connection:
   * {@code remoteAddress(context -> connection.get().address())}. Rules count proxies themselves,
   * so it should not read {@code X-Forwarded-For}.
   *
   * @param address the function; may return null
   * @return this
   */
  public RateLimitFeature remoteAddress(
      Function<ContainerRequestContext, @Nullable String> address) {
    this.address = Objects.requireNonNull(address, "address must not be null");
    return this;
  }

  @Override
  public boolean configure(FeatureContext context) {
    if (inServletContainer) {
      context.register(ServletAddressFilter.class, FIRST);
    }
    List<String> byPath =
        new ArrayList<>(limiter.rules().stream().map(WebRule::name).toList());
    byPath.removeAll(annotated);
    if (beforeMatching && !byPath.isEmpty()) {
      context.register(new DecidingFilter.BeforeMatching(limiter.only(byPath), address), FIRST + 1);
    }
    context.register(new ResourceRules(beforeMatching ? List.of() : byPath));
    context.register(new HeaderFilter());
    return true;
  }

  private @Nullable String property(ContainerRequestContext context) {
    if (context.getProperty(REMOTE_ADDRESS) instanceof String remote) {
      return remote;
    }
    if (!warned.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          "A rule needs the address of the client, which JAX-RS does not provide; all clients share one count. Call inServletContainer() or remoteAddress(...) of RateLimitFeature.");
    }
    return null;
  }

  /** Gives each resource method a filter with its rules. */
  private final class ResourceRules implements DynamicFeature {

    private final List<String> byPath;

    ResourceRules(List<String> byPath) {
      this.byPath = byPath;
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
      Set<String> names = RuleNames.of(resource);
      if (!annotated.containsAll(names)) {
        throw new IllegalArgumentException("@RateLimited of " + resource.getResourceMethod()
            + " names " + names + ", but rules by annotation are " + annotated
            + "; see RateLimitFeature.byAnnotation");
      }
      List<String> rules = new ArrayList<>(byPath);
      rules.addAll(names);
      if (!rules.isEmpty()) {
        context.register(new DecidingFilter(limiter.only(rules), address), PRIORITY);
      }
    }
  }
}
