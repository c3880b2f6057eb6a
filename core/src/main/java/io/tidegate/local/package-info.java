/**
 * The local layer: the counts of all series in the memory of this process, and decisions on them.
 *
 * <p>Pure code: values, arithmetic and atomics. Time arrives as a parameter; there is no clock, no
 * logging, no future and no I/O. The regional and the global layer call
 * {@link io.tidegate.local.SharedCounter}, {@link io.tidegate.local.PendingQueue} and
 * {@link io.tidegate.local.SeriesStore}; the root package calls
 * {@link io.tidegate.local.SeriesTable} and {@link io.tidegate.local.Batch}, and
 * {@link io.tidegate.local.SeriesReading} for operators. All public methods may be called by any
 * thread unless they say otherwise.
 *
 * <h2>Data structures</h2>
 *
 * <pre>
 * SeriesStore ── SeriesTable per scope ── CounterTable ── SeriesCounter per identifier  (alone)
 *      │                                              └── SharedCounter per identifier  (with others)
 *      ├── PendingQueue&lt;Unconfirmed&gt;   series to send to the origin
 *      ├── PendingQueue&lt;Unpushed&gt;      series that the push policy has to judge
 *      └── Sweeper, Evictor            remove expired series; make room
 * </pre>
 *
 * <p>A store keeps a table for each scope that has series. A table is detached when its last series
 * is removed, and a detached table gets no series any more: additions and the detachment hold the
 * table's monitor. A gate that kept a detached table passes requests to the attached one.
 *
 * <p>The counters of a scope are the entries of its hash table: a counter has its identifier and a
 * reference to the next counter of its bucket, so that a series is one object beside its string.
 * {@link io.tidegate.local.CounterTable} explains how lookups without a lock find a counter that
 * moves.
 *
 * <p>A series counts in two fixed cells, the current and the previous one. The sliding window
 * weighs the previous cell by the part of it that the window still covers
 * ({@link io.tidegate.local.SlidingWindow}, exact integers, rounded down).
 *
 * <h2>The word of a counter</h2>
 *
 * <p>{@link io.tidegate.local.SeriesCounter} keeps its state in one {@code long}:
 *
 * <pre>
 * bit 63, 62   state: 00 open, 01 held by a batch, 10 changing, 11 removed
 * bit 61-40    number of rotations, modulo 2^22
 * bit 39-0     own count of the current cell
 * </pre>
 *
 * <p>The other fields (start of the cell, count of others, previous count, and those of the
 * subclasses) are written only by the thread that has set the state to <em>changing</em>, which
 * acts as a lock of a few stores. A decision takes no lock. It reads the word, then the fields,
 * computes, and then either
 *
 * <ul>
 *   <li>adds its cost with a compare-and-set from the word that it read. Success proves that the
 *       state was open, no token was added meanwhile, and the cell did not rotate; or
 *   <li>denies, after it has read the word again and found the same rotation and no change under
 *       way. The count may have grown meanwhile, which only confirms a denial.
 * </ul>
 *
 * <p>Merges of the counts of others do not change the word for good: they set the state and restore
 * it. A decision may therefore succeed with a count of others that was raised after it was read.
 * The decision is then ordered before the merge. What must not happen is that a decision uses the
 * freshness of an answer without its counts, so a merge writes the counts first and the freshness
 * last, and a decision reads the freshness first and the counts last.
 *
 * <p><b>Widths.</b> An own count never exceeds the greatest limit, 10^12, which is less than 2^40,
 * unless costs are recorded beyond the limit; the count then ends at 2^40 - 1. The two state bits
 * and the 40 bits of the count leave 22 bits for rotations. A rotation takes at least the shortest
 * window, one second, so the number repeats after 2^22 s, which is 48 days. The wrap is harmless:
 * the number is compared only within one decision, and a decision would have to be suspended
 * between two reads for exactly a multiple of 4,194,304 rotations to mistake one cell for another.
 * 62 bits of the word (rotations and count) are what a compare-and-set checks beside the state.
 *
 * <h2>Batches</h2>
 *
 * <p>A batch sets its series to <em>held</em>, in the order of the hashes of their names, checks
 * all of them, and adds to all or none. Requests that would be admitted by a held series wait;
 * requests that would be denied do not, because a batch only adds. All batches hold in the same
 * order, so they cannot deadlock.
 *
 * <h2>Shared series</h2>
 *
 * <p>With an origin or global counters, a series is a {@link io.tidegate.local.SharedCounter}. Each
 * of its superclasses holds one idea:
 *
 * <table>
 * <caption>Classes of a counter</caption>
 * <tr><th>class</th><th>holds</th><th>written by</th></tr>
 * <tr><td>SeriesCounter</td><td>identifier, word, cells, strict-mode deadline</td>
 *     <td>decisions (word, deadline); changes (the rest)</td></tr>
 * <tr><td>RefreshableCounter</td>
 *     <td>count of others, freshness of the origin's last answer, failed reads</td>
 *     <td>changes; the thread that completes a read</td></tr>
 * <tr><td>QueuedCounter</td><td>membership in the two queues, lowest limit</td>
 *     <td>decisions, ticks and answers, by atomic bit operations</td></tr>
 * <tr><td>SharedCounter</td><td>confirmed, pushed and imported counts of both cells</td>
 *     <td>changes</td></tr>
 * </table>
 *
 * <p>The count of a cell is the sum of three: <em>own</em> (admitted here), <em>peers'</em> (by
 * other nodes of the region) and <em>imported</em> (by other regions). Own and peers' counts are
 * the <em>regional</em> count. The word has the own count, {@code others} has the sum of the other
 * two, and {@link io.tidegate.local.PublishedCell} has the imported part, so that the regional
 * count can be computed and imported counts are never sent on. Each count only grows within its
 * cell and a merge takes the greater, so answers may be late, lost or repeated.
 *
 * <p>An answer of the origin is merged with one acquisition of the lock: peers' counts of the cells
 * first, then what is confirmed and the freshness.
 *
 * <p>Before the origin has confirmed it, a node admits only its {@link io.tidegate.local.Share} of
 * what is left. A decision reads what is confirmed before the counts of others, for the same reason
 * as the freshness: a newer confirmation with older counts would allow too much.
 *
 * <h2>Rotation, rebase, removal</h2>
 *
 * <p><b>Rotation</b>: the first request or pull of a new cell makes the current cell the previous
 * one, with its own, confirmed and published counts. The cell that was the previous one is dropped;
 * if the origin has not confirmed all of it, an {@link io.tidegate.local.UnconfirmedCell} takes its
 * place in the replay queue. If a rotation throws, for lack of memory, the word is restored and the
 * next caller rotates.
 *
 * <p><b>Rebase</b>: a request with a time far in the future leaves a cell ahead of the clock. When
 * the clock shows that, the cells move back to the present. Their counts still weigh, as a carried
 * count of no region, and the stores receive them for the cells in which they were counted. The
 * series continues under a new <em>incarnation</em>, a number in the writer name of its own counts:
 * the origin may already hold counts of the old incarnation for the cells of the present, and two
 * counts under one name would be merged into the greater.
 *
 * <p><b>Removal</b>: expired or evicted counters are <em>removed</em> for good; the next request
 * creates a successor with a new incarnation. A removed counter ignores the counts of others,
 * because its own counts are peers' counts of the successor. It stays in the queues until its own
 * counts are confirmed and pushed. The queues bound how many evicted series they keep.
 *
 * <h2>Queues</h2>
 *
 * <p>A counter adds itself to a queue when a count grows and its bit for that queue is clear. The
 * layer that takes it out clears the bit and reads the counts afterwards (push), or clears it after
 * the answer and adds the counter again if it has grown (replay). So no growth is missed, and a
 * counter is in each queue once at most.
 *
 * <h2>Memory</h2>
 *
 * <p>{@code LocalMemoryTest} holds the bytes per series. A shared series has no objects for what it
 * does not use: a {@code PublishedCell} is created when regions first exchange a count of the cell.
 */
@NullMarked
package io.tidegate.local;

import org.jspecify.annotations.NullMarked;
