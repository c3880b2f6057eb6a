package io.tidegate.server.api;

import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.observe.HttpMetrics;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import io.vertx.core.http.HttpMethod;
import java.time.InstantSource;
import java.util.List;

/** The routes of the public port. */
public final class Api {

  private final LimitRoutes limits;
  private final OverrideRoutes overrides;

  private Api(
      LimitService limits, OverrideService overrides, RequestClock clocks, InstantSource clock) {
    ResultWriter results = new ResultWriter(clock);
    this.limits = new LimitRoutes(limits, clocks, results);
    this.overrides = new OverrideRoutes(overrides, results);
  }

  /**
   * The routes of a node.
   *
   * @param limits decides requests
   * @param overrides reads and edits overrides
   * @param clock the time
   */
  public static Api of(LimitService limits, OverrideService overrides, InstantSource clock) {
    return new Api(limits, overrides, RequestClock.ofNode(clock), clock);
  }

  /** The routes of a node for tests, on which requests may set their own time. */
  public static Api withTestClock(
      LimitService limits, OverrideService overrides, InstantSource clock) {
    return new Api(limits, overrides, RequestClock.ofTests(clock), clock);
  }

  /**
   * The endpoints of all routes.
   *
   * @param basePath the prefix of every path; may be empty
   * @param metrics records the answers
   */
  public List<Endpoint> endpoints(String basePath, HttpMetrics metrics) {
    Endpoints endpoints = new Endpoints(basePath, metrics);
    return List.of(
        endpoints.post("/v2/ratelimit.limit", limits::limit),
        endpoints.post("/v2/ratelimit.multiLimit", limits::multiLimit),
        endpoints.post("/v2/ratelimit.setOverride", overrides::set),
        endpoints.post("/v2/ratelimit.getOverride", overrides::get),
        endpoints.post("/v2/ratelimit.listOverrides", overrides::list),
        endpoints.post("/v2/ratelimit.deleteOverride", overrides::delete),
        endpoints.get("/v2/liveness", Api::liveness),
        endpoints.get("/openapi.yaml", new OpenApiDocument()));
  }

  private static void liveness(HttpExchange exchange, byte[] body) {
    exchange.succeed(json -> json.beginObject().field("message", "OK").endObject());
  }

  /** Creates endpoints. Metrics name a route without the base path. */
  private record Endpoints(String basePath, HttpMetrics metrics) {

    Endpoint post(String path, Endpoint.Handler handler) {
      return endpoint(HttpMethod.POST, path, handler);
    }

    Endpoint get(String path, Endpoint.Handler handler) {
      return endpoint(HttpMethod.GET, path, handler);
    }

    private Endpoint endpoint(HttpMethod method, String path, Endpoint.Handler handler) {
      return new Endpoint(basePath + path, method, handler, metrics.route(path)::answered);
    }
  }
}
