/**
 * What a host provides to the limiter: {@link io.tidegate.spi.RegionalOrigin} for the counts shared
 * in a region, {@link io.tidegate.spi.GlobalCounters} for the counts shared by regions,
 * {@link io.tidegate.spi.Scheduler}, {@link io.tidegate.spi.LimiterObserver} and
 * {@link io.tidegate.spi.PushPolicy}. All are optional.
 *
 * <p>Rules for implementers:
 *
 * <ul>
 *   <li>Adapters store numbers and make no decisions. A count is raised to the maximum of the
 *       stored and the received value, so that messages may be late, repeated or reordered.
 *   <li>Calls never block. They return a stage and complete it on any thread. An adapter for a
 *       blocking client uses its own threads, and bounds its queue.
 *   <li>Calls may fail, and nothing is retried inside: the limiter bounds every call with a timeout
 *       and a circuit breaker, and sends unconfirmed counts again.
 *   <li>All methods are thread-safe. The limiter owns its origin and its global counters, and
 *       closes them when it is closed.
 *   <li>Even an {@link java.lang.Error} thrown by an implementation does not stop the limiter; it
 *       counts as a failed call.
 * </ul>
 *
 * <p>Contract tests for both stores are in {@code io.tidegate.testing.contract}, in the test-jar of
 * this module.
 */
@NullMarked
package io.tidegate.spi;

import org.jspecify.annotations.NullMarked;
