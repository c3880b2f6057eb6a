package io.tidegate.server.gateway;

import io.tidegate.server.service.RuleResult;
import io.tidegate.server.service.RuleService;
import io.vertx.core.http.HttpHeaders;
import java.util.concurrent.CompletableFuture;

/** The method of Envoy's rate limit service. */
final class ShouldRateLimit implements GrpcEndpoint.Method {

  static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private final RuleService rules;
  private final GatewaySecret secret;
  private final ResponseExtras extras;

  ShouldRateLimit(RuleService rules, GatewaySecret secret, ResponseExtras extras) {
    this.rules = rules;
    this.secret = secret;
    this.extras = extras;
  }

  @Override
  public void call(GrpcCall call, ProtobufReader message) {
    if (secret.isRequired() && !secret.acceptsBearer(call.header(HttpHeaders.AUTHORIZATION))) {
      throw new GrpcException(
          GrpcStatus.UNAUTHENTICATED,
          "metadata authorization must be 'Bearer' and the gateway secret of the server");
    }
    RateLimitRequest request = RateLimitRequest.read(message);
    check(request);
    CompletableFuture<RuleResult> decided = rules.decide(
        call.requestId(), request.domain(), request.descriptors(), request.hits(), call.maxWait());
    if (decided.isDone()) {
      answer(call, request, decided);
    } else {
      var unused = decided.whenComplete(
          (result, failure) -> call.resume(() -> answer(call, request, decided)));
    }
  }

  /** Rejects what envoyproxy/ratelimit rejects, with its texts, which operators search for. */
  private void check(RateLimitRequest request) {
    if (request.domain().isEmpty()) {
      throw new GrpcException(GrpcStatus.UNKNOWN, "rate limit domain must not be empty");
    }
    if (request.descriptors().isEmpty()) {
      throw new GrpcException(GrpcStatus.UNKNOWN, "rate limit descriptor list must not be empty");
    }
    if (!rules.hasRules()) {
      throw new GrpcException(GrpcStatus.UNKNOWN, "no rate limit configuration loaded");
    }
  }

  /** Answers with the result of a future that is complete; fails the call if the future failed. */
  private void answer(
      GrpcCall call, RateLimitRequest request, CompletableFuture<RuleResult> decided) {
    RuleResult result = decided.join();
    ProtobufWriter message = new ProtobufWriter();
    RateLimitResponse.write(message, result);
    extras.write(message, request, result);
    call.answer(message);
  }
}
