/**
 * Interceptors that limit gRPC calls.
 *
 * <p>Start at {@link io.tidegate.grpc.RateLimitServerInterceptor} for servers, and at
 * {@link io.tidegate.grpc.RateLimitClientInterceptor} for clients.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.grpc {
  requires transitive io.tidegate.rules;
  requires transitive io.grpc;

  exports io.tidegate.grpc;
}
