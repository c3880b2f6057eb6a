/**
 * The server program: wiring, start and stop of a node.
 *
 * <p>{@link io.tidegate.server.Main} runs commands. {@code serve} creates a
 * {@link io.tidegate.server.Server}, which owns every part of a node and closes it. Parts get what
 * they need at construction and do not look for each other. {@code Adapters} is the only class that
 * names the adapters of origin, global counters and catalog.
 *
 * <p>The main thread starts the node and then waits for its end. A signal stops the node on a
 * thread of its own. Requests run on event loops; nothing in this package does.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server;
