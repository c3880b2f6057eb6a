package io.tidegate.server.gateway;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.HttpListener;
import io.tidegate.server.observe.GatewayMetrics;
import io.tidegate.server.observe.HttpMetrics;
import io.tidegate.server.service.RuleService;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The endpoints of the gateway port. */
public final class Gateway {

  private final RuleService rules;
  private final GatewaySecret secret;
  private final BooleanSupplier ready;
  private final ResponseExtras extras;
  private final GatewayMetrics metrics;

  /**
   * Creates the front.
   *
   * @param rules decides requests
   * @param ready whether the node should receive requests
   * @param secret what every call must carry; null for none
   * @param headers the rate limit fields that Envoy adds to responses; null for none
   * @param metadata whether answers to Envoy contain dynamic metadata
   * @param metrics counts errors
   */
  public Gateway(
      RuleService rules,
      BooleanSupplier ready,
      @Nullable String secret,
      @Nullable DecisionHeaders headers,
      boolean metadata,
      GatewayMetrics metrics) {
    this.rules = rules;
    this.ready = ready;
    this.secret = new GatewaySecret(secret);
    this.extras = new ResponseExtras(headers, metadata);
    this.metrics = metrics;
  }

  /**
   * The endpoints of all routes.
   *
   * @param http records the answers
   */
  public List<Endpoint> endpoints(HttpMetrics http) {
    return List.of(
        grpc(http, ShouldRateLimit.PATH, new ShouldRateLimit(rules, secret, extras)),
        grpc(http, GrpcHealth.PATH, new GrpcHealth(ready)),
        new Endpoint(
            ForwardAuth.PATH,
            null,
            new ForwardAuth(rules, secret),
            http.route(ForwardAuth.PATH)::answered));
  }

  private Endpoint grpc(HttpMetrics http, String path, GrpcEndpoint.Method method) {
    return new Endpoint(
        path, HttpMethod.POST, new GrpcEndpoint(method, metrics), http.route(path)::answered);
  }

  /** Answers a request for any other path: a gRPC call in the way of gRPC. */
  public void rejectUnknown(HttpExchange exchange, byte[] body) {
    if (GrpcCall.isGrpc(exchange) && exchange.isHttp2()) {
      new GrpcCall(exchange, metrics).fail(GrpcStatus.UNIMPLEMENTED, "unknown method");
    } else {
      HttpListener.rejectUnknown(exchange, body);
    }
  }
}
