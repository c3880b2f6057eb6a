/**
 * Two nodes that share their counts through Redis: Tidegate, a limiter that replays every admitted
 * request, and bucket4j's proxy for Redis.
 *
 * <p>Nodes run in this process, with a thread and a connection each; Redis is a process on loopback
 * that the run starts and stops.
 */
@NullMarked
package io.tidegate.benchmarks.regional;

import org.jspecify.annotations.NullMarked;
