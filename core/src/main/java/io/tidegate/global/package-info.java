/**
 * The global layer: shares the counts of regions through the global counters.
 *
 * <p>Only the root package calls this package, through {@link io.tidegate.global.GlobalLayer}. The
 * layer reaches the database through {@link io.tidegate.global.GuardedGlobalCounters} alone, which
 * gives every call a timeout and a circuit breaker. No decision waits for this layer.
 *
 * <h2>A round</h2>
 *
 * <p>Every interval of the push policy, with jitter ({@link io.tidegate.global.Cadence}), a node
 * pulls and then pushes. The pull comes first because it shows what other nodes of the region have
 * just pushed, which need not be pushed again.
 *
 * <ul>
 *   <li><b>Pull</b> ({@link io.tidegate.global.Puller}): reads the components that changed since
 *       the last pull. A component of another region is imported; one of this region raises the
 *       regional count and confirms what was pushed. Every minute a full pull repairs what was
 *       missed and reveals counts that the database has lost. Components of cells that have not
 *       begun, because clocks differ, are kept until they begin.
 *   <li><b>Push</b> ({@link io.tidegate.global.Pusher}): judges the series whose counts have grown
 *       and writes the regional counts that the policy finds worth it, in chunks, one at a time.
 *       All nodes of a region write the same rows; the database keeps the greatest count.
 *   <li><b>Name check</b> ({@link io.tidegate.global.RegionNameCheck}): detects two regions that
 *       were given the same name.
 * </ul>
 *
 * <p>A push or a pull is compared with others in whole seconds since the start of the node. A
 * pushed count that a pull does not bring is lost only if it was confirmed more than the lag of a
 * replica before the pull began.
 *
 * <h2>Threads and ownership</h2>
 *
 * <p>Ticks are serialized by the monitor of {@code GlobalLayer}; the state of rounds belongs to the
 * tick. Components and answers arrive on any thread; they touch counters (which have their own
 * lock) and volatile fields. One push and one pull are under way at most.
 *
 * <p>All durations and their reasons are in {@link io.tidegate.global.GlobalTimings}.
 */
@NullMarked
package io.tidegate.global;

import org.jspecify.annotations.NullMarked;
