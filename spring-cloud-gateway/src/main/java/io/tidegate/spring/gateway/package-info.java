/**
 * Limits for routes of Spring Cloud Gateway:
 * {@link io.tidegate.spring.gateway.TidegateRateLimiter}.
 *
 * <p>The limits of routes are read when the gateway loads its routes, and again when these are
 * refreshed. All types are thread-safe, and nothing blocks an event loop.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.spring.gateway;
