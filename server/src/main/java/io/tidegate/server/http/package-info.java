/**
 * Ports for clients: connections, request bodies, timeouts, and the JSON envelope of answers.
 *
 * <p>Has no knowledge of any API. A front gives {@link io.tidegate.server.http.HttpListener} its
 * {@link io.tidegate.server.http.Endpoint endpoints}; this package receives a request as a whole,
 * calls the handler of its path, and protects the node from slow, oversized and broken requests.
 *
 * <p>Threading: a connection and its {@link io.tidegate.server.http.HttpExchange exchanges} belong
 * to one event loop and are used by its thread only;
 * {@link io.tidegate.server.http.HttpExchange#resume} is the one way in from other threads. Event
 * loops share {@code HttpListener}, {@code BodyBudget} and meters, which are safe for use by many
 * threads. Nothing on an event loop may block.
 */
@NullMarked
package io.tidegate.server.http;

import org.jspecify.annotations.NullMarked;
