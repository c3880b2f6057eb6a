package io.tidegate.model;

import java.util.Objects;

/**
 * A request to take tokens from the limit of an identifier.
 *
 * <pre>{@code
 * LimitRequest upload = LimitRequest.of("acme", "upload", "user_42", Limit.perHour(500)).withCost(20);
 * }</pre>
 *
 * @param scope workspace, namespace and window
 * @param identifier the user, key or address that is limited
 * @param limit tokens per window, 0 to 10^12; 0 denies everything
 * @param cost tokens to take, 0 to 10^12; 0 is a peek, which takes nothing
 */
public record LimitRequest(Scope scope, String identifier, long limit, long cost) {

  /** Rejects values outside {@link Bounds}. */
  public LimitRequest {
    Objects.requireNonNull(scope, "scope must not be null");
    Bounds.checkName("identifier", identifier);
    Bounds.checkTokens("limit", limit);
    Bounds.checkTokens("cost", cost);
  }

  /**
   * Creates a request for one token: {@code LimitRequest.of("acme", "login", "user_42",
   * Limit.perMinute(10))}.
   *
   * @param workspace the tenant
   * @param namespace the topic of the limit within the workspace
   * @param identifier the user, key or address that is limited
   * @param limit tokens and window
   * @return the request
   */
  public static LimitRequest of(
      String workspace, String namespace, String identifier, Limit limit) {
    Objects.requireNonNull(limit, "limit must not be null");
    return new LimitRequest(
        new Scope(workspace, namespace, limit.windowMillis()), identifier, limit.tokens(), 1);
  }

  /**
   * Returns this request with another cost: {@code request.withCost(20)}.
   *
   * @param cost tokens to take; 0 is a peek, which takes nothing
   * @return the request
   */
  public LimitRequest withCost(long cost) {
    return new LimitRequest(scope, identifier, limit, cost);
  }
}
