package io.tidegate.server.gateway;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.Entry;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.ProblemBody;
import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.Problem;
import io.tidegate.server.service.DescriptorRequest;
import io.tidegate.server.service.RuleResult;
import io.tidegate.server.service.RuleService;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests for proxies that call an HTTP server before they let a request through:
 * Traefik's {@code ForwardAuth}, Caddy's {@code forward_auth}, nginx's {@code auth_request}.
 *
 * <p>The proxy repeats the headers of the request. Its configuration contains the parameters, see
 * {@link ForwardAuthQuery}. The answer is 200 if the request is within its limits, otherwise 429 or
 * the status that the parameters ask for. A descriptor for which the request has no value is not
 * decided, and a request without descriptors is allowed; Envoy does the same.
 */
final class ForwardAuth implements Endpoint.Handler {

  static final String PATH = "/v1/forward-auth";

  /** Contains the status of a denial if the proxy asked for another one. */
  private static final String STATUS_HEADER = "X-Tidegate-Status";

  /** Longer than the limiter waits for its origin, so that the limiter's own bound applies. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private static final String SECRET_HEADER = "X-Tidegate-Secret";

  private final RuleService rules;
  private final GatewaySecret secret;

  ForwardAuth(RuleService rules, GatewaySecret secret) {
    this.rules = rules;
    this.secret = secret;
  }

  @Override
  public void handle(HttpExchange exchange, byte[] body) {
    ForwardAuthQuery query = ForwardAuthQuery.parse(exchange.query());
    if (!secret.accepts(query.secret()) && !secret.accepts(exchange.header(SECRET_HEADER))) {
      exchange.fail(Problem.wrongSecret());
      return;
    }
    List<DescriptorRequest> descriptors =
        descriptors(query, new ForwardedRequest(exchange, query.hops()));
    if (descriptors.isEmpty()) {
      exchange.succeedWithoutContent("text/plain");
      return;
    }
    CompletableFuture<RuleResult> result =
        rules.decide(exchange.requestId(), query.domain(), descriptors, 0, MAX_WAIT);
    if (result.isDone()) {
      answer(exchange, query, result.join());
    } else {
      var unused = result.whenComplete(
          (value, failure) -> exchange.resume(() -> answer(exchange, query, result.join())));
    }
  }

  private static List<DescriptorRequest> descriptors(
      ForwardAuthQuery query, ForwardedRequest request) {
    List<DescriptorRequest> descriptors = new ArrayList<>(query.descriptors().size());
    for (List<EntryTemplate> templates : query.descriptors()) {
      List<Entry> entries = entries(templates, request);
      if (entries != null) {
        descriptors.add(DescriptorRequest.of(entries));
      }
    }
    return descriptors;
  }

  /** The entries of a descriptor; null if the request lacks the value of one. */
  private static @Nullable List<Entry> entries(
      List<EntryTemplate> templates, ForwardedRequest request) {
    List<Entry> entries = new ArrayList<>(templates.size());
    for (EntryTemplate template : templates) {
      Entry entry = template.of(request);
      if (entry == null) {
        return null;
      }
      entries.add(entry);
    }
    return entries;
  }

  private static void answer(HttpExchange exchange, ForwardAuthQuery query, RuleResult result) {
    List<PolicyDecision> decisions = ResponseExtras.policies(result);
    if (query.headers() != null) {
      query.headers().of(decisions, result.nowMillis()).forEach(exchange::addHeader);
    }
    if (result.allowed()) {
      exchange.succeedWithoutContent("text/plain");
      return;
    }
    DecisionHeaders.retryAfterSeconds(decisions)
        .ifPresent(seconds ->
            exchange.addHeader(DecisionHeaders.RETRY_AFTER_FIELD, Long.toString(seconds)));
    if (query.deniedStatus() != ForwardAuthQuery.TOO_MANY_REQUESTS) {
      exchange.addHeader(STATUS_HEADER, Integer.toString(ForwardAuthQuery.TOO_MANY_REQUESTS));
    }
    exchange.respond(
        query.deniedStatus(),
        ProblemBody.CONTENT_TYPE,
        ProblemBody.quotaExceeded(query.deniedStatus(), decisions)
            .getBytes(StandardCharsets.US_ASCII));
  }
}
