/**
 * JAX-RS filters that limit requests by the rules of a {@link io.tidegate.rules.web.WebLimiter}.
 *
 * <p>{@link io.tidegate.jaxrs.RateLimitFeature} registers them, and
 * {@link io.tidegate.jaxrs.RateLimited} applies rules to resources by name. The filters translate
 * requests and answers, and decide nothing. They need Jakarta REST 3.1 or later and no other
 * library.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.jaxrs;
