/**
 * Interceptors that limit gRPC calls.
 *
 * <p>{@link io.tidegate.grpc.RateLimitServerInterceptor} decides on the calls that a server
 * receives, by the rules of {@link io.tidegate.rules.web.WebLimiter}; it only translates.
 * {@link io.tidegate.grpc.RateLimitClientInterceptor} delays the calls that a client makes, so that
 * it stays within the limits of another service.
 *
 * <p>Neither blocks a thread. A call that has to wait is held back: its events run in their order
 * once the decision is there, on an executor of the application.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.grpc;
