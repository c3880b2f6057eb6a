package io.tidegate.server.api;

import io.tidegate.RateLimiter;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.http.Endpoint;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.observe.HttpMetrics;
import io.vertx.core.http.HttpMethod;
import java.time.InstantSource;
import java.util.List;

/** All that the public port answers. */
public final class Api {

  private static final int MAX_BATCH = 100;

  private final Entrance entrance;
  private final Verdicts verdicts;
  private final OverrideRoutes overrides;

  /**
   * The routes of a node.
   *
   * @param limiter decides
   * @param catalog knows who may ask for what
   * @param clock the time
   * @param testClock whether requests may bring their own
   * @param logDenials which denials are logged
   */
  public Api(
      RateLimiter limiter,
      CatalogFollower catalog,
      InstantSource clock,
      boolean testClock,
      LogDenials logDenials) {
    this.entrance = new Entrance(catalog, limiter, clock);
    this.verdicts = new Verdicts(
        limiter, catalog, new RequestTime(clock, testClock), new DenialLog(logDenials));
    this.overrides = new OverrideRoutes(catalog.editor());
  }

  /**
   * What answers which path.
   *
   * @param basePath what comes before every path; empty for nothing
   * @param metrics counts answers
   * @return the endpoints
   */
  public List<Endpoint> endpoints(String basePath, HttpMetrics metrics) {
    return List.of(
        post(
            basePath,
            "/v2/ratelimit.limit",
            metrics,
            entrance.toRoute(Shape.LIMIT, verdicts::limit)),
        post(
            basePath,
            "/v2/ratelimit.multiLimit",
            metrics,
            entrance.toRoute(Shape.LIMIT, MAX_BATCH, verdicts::multiLimit)),
        post(
            basePath,
            "/v2/ratelimit.setOverride",
            metrics,
            entrance.toRoute(Shape.SET_OVERRIDE, overrides::set)),
        post(
            basePath,
            "/v2/ratelimit.getOverride",
            metrics,
            entrance.toRoute(Shape.NAME_OVERRIDE, overrides::get)),
        post(
            basePath,
            "/v2/ratelimit.listOverrides",
            metrics,
            entrance.toRoute(Shape.LIST_OVERRIDES, overrides::list)),
        post(
            basePath,
            "/v2/ratelimit.deleteOverride",
            metrics,
            entrance.toRoute(Shape.NAME_OVERRIDE, overrides::delete)),
        get(
            basePath,
            "/v2/liveness",
            metrics,
            (call, body) -> call.succeed(json -> {
              json.beginObject();
              json.field("message", "OK");
              json.endObject();
            })),
        get(basePath, "/openapi.yaml", metrics, new OpenApiDocument()));
  }

  private static Endpoint post(
      String basePath, String path, HttpMetrics metrics, Endpoint.Handler handler) {
    return new Endpoint(basePath + path, HttpMethod.POST, handler, metrics.route(path));
  }

  private static Endpoint get(
      String basePath, String path, HttpMetrics metrics, Endpoint.Handler handler) {
    return new Endpoint(basePath + path, HttpMethod.GET, handler, metrics.route(path));
  }
}
