/**
 * The regional layer: shares the counts of the nodes of one region through the origin.
 *
 * <p>The root package calls this package through {@link io.tidegate.regional.RegionalLayer} and
 * {@link io.tidegate.regional.Refresher}, and the global layer stores imports through the former.
 * The layer reaches the origin through {@link io.tidegate.regional.GuardedOrigin} alone, which
 * gives every call a timeout and a circuit breaker per part of the origin.
 *
 * <h2>What happens when</h2>
 *
 * <ul>
 *   <li><b>Refresh</b> ({@link io.tidegate.regional.Refresher}): a decision on an unsure series
 *       reads both of its cells first. All requests for the same cell share one read. A decision
 *       waits for 300 ms at most; after a failed read, requests for that series do not wait for a
 *       second.
 *   <li><b>Share</b>: a decision that would exceed this node's share of what is left does the same,
 *       and the read sends its unconfirmed counts along. It is made in the background once half of
 *       the share is spent.
 *   <li><b>Registration</b> ({@link io.tidegate.regional.Membership}): every second, the node
 *       registers in the origin. The answer has the number of nodes that share the limits, and the
 *       node that reads the counts of other regions for all of them.
 *   <li><b>Replay</b> ({@link io.tidegate.regional.Replayer}): every 10 ms, changed own counts are
 *       sent, in chunks and per part of the origin, until they are confirmed. Counts are
 *       cumulative, so a lost or repeated message does no harm. The answer carries the peers' and
 *       imported counts of the cell and keeps an active series fresh without reads. A series that
 *       regions share is read every five seconds nevertheless, for late counts of its previous
 *       cell.
 *   <li><b>Loss check</b> ({@link io.tidegate.regional.LossDetector}): an answer that holds less of
 *       the own count than the origin had confirmed reveals a loss; then all own counts are sent
 *       again. A few reads every 100 ms reveal losses without traffic.
 * </ul>
 *
 * <h2>Threads and ownership</h2>
 *
 * <p>Ticks are serialized by the monitor of {@code RegionalLayer}. The queues of parts belong to
 * the tick. Answers complete on any thread; they touch counters (which have their own lock), the
 * queue of paused series and atomic numbers. A series is in one place at a time: in the replay
 * queue, in the queue of its part, under way, or paused. The bit in its counter is set in all four,
 * so nothing adds it a second time.
 *
 * <p>Ages are measured in elapsed time of the scheduler, because a clock may be set; cells are
 * identified by the clock. {@code SeriesStore.alignClock} relates the two at every tick.
 *
 * <p>All durations and their reasons are in {@link io.tidegate.regional.RegionalTimings}.
 */
@NullMarked
package io.tidegate.regional;

import org.jspecify.annotations.NullMarked;
