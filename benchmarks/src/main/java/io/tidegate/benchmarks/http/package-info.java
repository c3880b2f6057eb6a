/**
 * Decisions over HTTP: the server next to one on the same framework that answers a constant.
 *
 * <p>Servers and the load generator are child processes, which serve one request of {@code Run} at
 * a time; {@code ChildProcess} carries requests and answers. The load generator uses one thread and
 * shares no code with the server.
 */
@NullMarked
package io.tidegate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
