/**
 * The global layer: shares the counts of regions through the global counters.
 *
 * <p>Only the root package calls this package, through {@link io.tidegate.global.GlobalLayer}. The
 * layer reaches the database through {@link io.tidegate.global.GuardedGlobalCounters} alone, which
 * gives every call a timeout and a circuit breaker, and the origin through the
 * {@link io.tidegate.regional.RegionalLayer}. No decision waits for this layer.
 *
 * <h2>One reader per region</h2>
 *
 * <p>One node of a region, its reader, pulls the counts of other regions for all of them and stores
 * them in the origin, from which the nodes receive them with the answers that they get anyway. The
 * origin decides who it is ({@link io.tidegate.spi.RegionalOrigin#register}). A node without an
 * origin pulls for itself, and so does every node while the origin does not answer
 * ({@link io.tidegate.global.Reading}).
 *
 * <h2>A round</h2>
 *
 * <p>Every interval of the push policy, with jitter ({@link io.tidegate.global.Cadence}), a node
 * pulls, if it has to, and then pushes.
 *
 * <ul>
 *   <li><b>Pull</b> ({@link io.tidegate.global.Puller}): reads the components of other regions that
 *       changed since the last pull, into the origin ({@link io.tidegate.global.OriginImports}) or
 *       into the counters of this node ({@link io.tidegate.global.CounterImports}). A full pull at
 *       the beginning and every minute repairs what was missed.
 *   <li><b>Push</b> ({@link io.tidegate.global.Pusher}): judges the series whose counts have grown
 *       and writes the regional counts that the policy finds worth it, in chunks, one at a time.
 *       All nodes of a region write the same rows; the database keeps the greatest count. What was
 *       pushed is stored in the origin, so that the other nodes do not push it again.
 *   <li><b>Check of pushes</b> ({@link io.tidegate.global.PushCheck}): once a minute, reads the
 *       components of this region, which reveals pushed counts that the database has lost.
 *   <li><b>Name check</b> ({@link io.tidegate.global.RegionNameCheck}): detects two regions that
 *       were given the same name.
 * </ul>
 *
 * <p>Pushes and checks are compared in whole seconds of elapsed time. A pushed count that a check
 * does not bring is lost only if it was confirmed more than the lag of a replica before the check
 * began.
 *
 * <h2>Threads and ownership</h2>
 *
 * <p>Ticks are serialized by the monitor of {@code GlobalLayer}; the state of rounds belongs to the
 * tick. Components and answers arrive on any thread; they touch counters (which have their own
 * lock) and volatile fields. At most one push is under way, and one pull or check.
 *
 * <p>All durations and their reasons are in {@link io.tidegate.global.GlobalTimings}.
 */
@NullMarked
package io.tidegate.global;

import org.jspecify.annotations.NullMarked;
