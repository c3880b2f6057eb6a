/**
 * Bounded calls to the stores outside, and the scheduler of the JVM. Internal: used by
 * {@code regional}, {@code global} and the root package.
 *
 * <h2>Why calls are bounded</h2>
 *
 * An origin or a database can be slow, unreachable or broken. Neither the latency nor the memory of
 * the limiter may depend on it. Every call to a store goes through a
 * {@link io.tidegate.runtime.Guard}, which gives three guarantees:
 *
 * <ol>
 *   <li><b>Every answer arrives or fails in time.</b> Each call has a timeout. The scheduler's tick
 *       calls {@code expire}, which fails calls that are overdue; a store that never completes its
 *       stages therefore leaks nothing. An answer after the timeout is ignored: counts are
 *       cumulative, so the next answer contains it.
 *   <li><b>An outage costs one call per pause.</b> While most calls fail, a circuit breaker rejects
 *       further ones at once. A request that needs the store is then decided from memory without a
 *       wait.
 *   <li><b>Any failure is a failed call.</b> Exceptions and errors thrown by an adapter, stages
 *       that throw and missing stages all fail the answer, and never reach the thread of the
 *       limiter.
 * </ol>
 *
 * <h2>Parts</h2>
 *
 * A store can consist of parts that fail independently, such as the masters of a Redis Cluster. The
 * guard keeps one circuit breaker per part, so that calls to healthy parts continue. The name of a
 * part comes from the adapter and may change with each failover; the number of breakers is bounded.
 *
 * <h2>When a breaker opens</h2>
 *
 * A {@code FailureRate} judges recent calls. Calls to the origin are frequent: the rate is the
 * share of failures in the last five seconds, and needs at least 20 calls. A few timeouts among
 * thousands of calls, as when all windows rotate at once, are not an outage. Calls to the global
 * counters are made one at a time: the rate is the share among the last six. From 50 percent on,
 * the breaker opens. It rejects calls for a pause, and then permits one probe, which closes or
 * reopens it. If no call is requested during a second pause, it closes by itself: its failures are
 * out of date, and a burst of requests should not be rejected because of them.
 *
 * <h2>Ownership and threads</h2>
 *
 * <ul>
 *   <li>A layer owns one guard per kind of call, because kinds fail differently: Redis without
 *       memory answers reads and rejects writes. The layer calls {@code expire} from its tick and
 *       {@code close} when the limiter closes; {@code close} fails all calls in progress.
 *   <li>{@code call} may be used by any thread. {@code expire} is used by one thread at a time.
 *   <li>Answers and {@code Outcome}s arrive on the thread that completes them: a thread of the
 *       adapter, the tick, or the caller itself if the adapter answers at once. No lock is held.
 *   <li>A circuit breaker and its failure rate are guarded by the breaker's monitor, which is held
 *       for a few arithmetic operations.
 *   <li>{@link io.tidegate.runtime.CallReport} forwards outcomes to the observer and to a
 *       {@link io.tidegate.runtime.FailureLog}, which writes one warning per ten seconds of an
 *       outage and one line at its end.
 *   <li>All times come from the {@link io.tidegate.spi.Scheduler} of the limiter, so that tests and
 *       the simulator run in virtual time. {@link io.tidegate.runtime.SystemScheduler} is the only
 *       class of core that starts a thread.
 * </ul>
 */
@NullMarked
package io.tidegate.runtime;

import org.jspecify.annotations.NullMarked;
