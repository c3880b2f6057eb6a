/**
 * Decisions over HTTP: the server next to one on the same framework that answers a constant.
 *
 * <p>Servers run in processes of their own. The load generator uses one thread of this process and
 * shares no code with the server.
 */
@NullMarked
package io.tidegate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
