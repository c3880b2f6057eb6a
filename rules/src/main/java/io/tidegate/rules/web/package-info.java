/**
 * Rules for web applications: which limits apply to an HTTP request, and the answer to a denied
 * one.
 *
 * <p>A front, such as a servlet filter, shows its request as a
 * {@link io.tidegate.rules.web.WebRequest} to a {@link io.tidegate.rules.web.WebLimiter}, and
 * writes the {@link io.tidegate.rules.web.WebDecision} to its response. Fronts translate; they
 * decide nothing.
 *
 * <p>All types may be used by any thread. Functions of the application (keys, costs, conditions,
 * limits) and listeners run on the thread of the request and must not block. An exception that they
 * throw is logged and reported, and never fails a request.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.rules.web;
