package io.tidegate.spring.gateway;

import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.spring.WebLimiterSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The limiter of the gateway's filter {@code RequestRateLimiter}, with a limit for each route:
 *
 * <pre>
 * spring.cloud.gateway.server.webflux.routes:
 *   - id: orders
 *     uri: http://orders.internal
 *     predicates: Path=/orders/**
 *     filters:
 *       - name: RequestRateLimiter
 *         args:
 *           tidegate-rate-limiter.limit: 100
 *           tidegate-rate-limiter.window: 1m
 * </pre>
 *
 * <p>{@link RouteLimit} has the arguments. Whose requests are counted together is determined by the
 * {@code KeyResolver} of the application. Responses have the headers that {@code tidegate.headers}
 * selects, and denied ones {@code Retry-After}. A {@link io.tidegate.rules.web.LimitProvider} bean
 * is called with the name of the limit, which is the identifier of the route by default.
 *
 * <p>In Java: {@code filters.requestRateLimiter().rateLimiter(TidegateRateLimiter.class, limit ->
 * limit.setLimit(100L))}. An invalid limit is rejected when its route is loaded.
 */
public final class TidegateRateLimiter extends AbstractRateLimiter<RouteLimit> {

  /** The prefix of the arguments in the configuration of a route. */
  public static final String CONFIGURATION_PROPERTY_NAME = "tidegate-rate-limiter";

  private static final Mono<Response> UNLIMITED = Mono.just(new Response(true, Map.of()));

  private final WebLimiterSettings settings;
  private final boolean enabled;
  private final RouteLimits limits = new RouteLimits();

  /** By identifier of the route. Written when routes are loaded, read by requests. */
  private final Map<String, WebLimiter> limiters = new ConcurrentHashMap<>();

  /**
   * Creates the limiter. Done by the auto-configuration.
   *
   * @param settings the settings of all limiters of the application
   * @param enabled false to allow all requests
   */
  TidegateRateLimiter(WebLimiterSettings settings, boolean enabled) {
    super(RouteLimit.class, CONFIGURATION_PROPERTY_NAME, (ConfigurationService) null);
    this.settings = settings;
    this.enabled = enabled;
  }

  /** Called by the gateway for each filter of a route that it loads. */
  @Override
  public void onApplicationEvent(FilterArgsEvent event) {
    RouteArguments arguments = new RouteArguments("route " + event.getRouteId(), event.getArgs());
    if (arguments.arePresent()) {
      limits.put(event.getRouteId(), arguments.read());
    }
  }

  @Override
  public Map<String, RouteLimit> getConfig() {
    return limits;
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    if (!enabled) {
      return UNLIMITED;
    }
    WebLimiter limiter = limiters.get(routeId);
    if (limiter == null) {
      return Mono.error(new IllegalStateException("route " + routeId
          + " has the filter RequestRateLimiter without a limit; set its argument "
          + CONFIGURATION_PROPERTY_NAME + ".limit"));
    }
    return Mono.defer(() -> decide(limiter, id))
        .map(decision -> new Response(decision.allowed(), decision.headers()));
  }

  private static Mono<WebDecision> decide(WebLimiter limiter, String key) {
    CompletableFuture<WebDecision> decided =
        limiter.decide(new RouteRequest(key)).toCompletableFuture();
    return decided.isDone()
        ? Mono.just(decided.join())
        : Mono.fromFuture(decided).publishOn(Schedulers.parallel()); // off the thread of the origin
  }

  /** The limits by identifier of the route; also those that routes in Java add. */
  private final class RouteLimits extends ConcurrentHashMap<String, RouteLimit> {

    private static final long serialVersionUID = 1;

    @Override
    public RouteLimit put(String routeId, RouteLimit limit) {
      limiters.put(
          routeId,
          settings
              .builder(List.of(RouteArguments.rule("route " + routeId, routeId, limit)))
              .build());
      return super.put(routeId, limit);
    }
  }
}
