/**
 * What the clients of this node do: decisions per second, the busiest and the most denied
 * identifiers of each namespace, and recent denials.
 *
 * <p>{@code Activity} observes the limiter. It looks at every decision of a quiet node and at a
 * sample of those of a busy one, so that its cost stays the same. All memory is bounded. Any thread
 * may report and read. The console and its commands are the readers.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.activity;
