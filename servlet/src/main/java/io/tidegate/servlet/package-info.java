/**
 * A servlet filter that limits requests by the rules of a {@link io.tidegate.rules.web.WebLimiter}.
 *
 * <p>{@link io.tidegate.servlet.RateLimitFilter} translates requests and answers, and decides
 * nothing. It needs a container with Servlet 6.0 or later and no other library.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.servlet;
