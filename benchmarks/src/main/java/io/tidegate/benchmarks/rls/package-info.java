/**
 * Decisions over Envoy's rate limit service: the server next to one on the same framework that
 * answers a constant, and next to servers that the user has started.
 *
 * <p>Servers run in processes of their own. The load is written and read as HTTP/2 frames by one
 * thread of this process and shares no code with the server.
 */
@NullMarked
package io.tidegate.benchmarks.rls;

import org.jspecify.annotations.NullMarked;
