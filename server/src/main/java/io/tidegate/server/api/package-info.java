/**
 * The HTTP front: the routes of the public port.
 *
 * <p>A route reads the body and the headers of an exchange, calls a service, and writes its result.
 * It makes no decision of its own: what a request does is in {@link io.tidegate.server.service}.
 * {@code Problems} translates the refusals of the services to HTTP errors. The routes and
 * {@code openapi.yaml} describe the same API; {@code OpenApiTest} compares them.
 *
 * <p>Threading: routes are shared by all event loops and keep no state. A route runs on the event
 * loop of its exchange and must not block. Only the server's wiring uses this package.
 */
@NullMarked
package io.tidegate.server.api;

import org.jspecify.annotations.NullMarked;
