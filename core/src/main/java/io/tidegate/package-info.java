/**
 * The rate limiter. Start with {@link io.tidegate.RateLimiter}; callers that decide often for one
 * scope keep a {@link io.tidegate.Gate}. Operators read a {@link io.tidegate.SeriesInspection}.
 *
 * <h2>How it counts</h2>
 *
 * <p>A limiter counts in a sliding window over two fixed ones: the tokens admitted in the current
 * window, plus the share of the previous one that a window reaching back from now still covers, are
 * at most the limit. The previous window is assumed to have been used evenly; where it was not, up
 * to twice the limit can fall into a sliding window.
 *
 * <h2>Three layers</h2>
 *
 * <ul>
 *   <li><b>local</b>: decides from the memory of this process, in nanoseconds.
 *   <li><b>regional</b>, with an origin: reads the counts of the other nodes where they matter, and
 *       sends own counts every 10 ms. A decision waits for the origin for 300 ms at most, and is
 *       marked as degraded if the origin did not answer.
 *   <li><b>global</b>, with global counters: exchanges counts with other regions in the background.
 * </ul>
 *
 * <p>The layers see each other in one direction: this package → regional, global → local.
 * {@link io.tidegate.Decider} shows the steps of a decision, the constructor of {@code RateLimiter}
 * the wiring.
 *
 * <h2>Threads</h2>
 *
 * <p>All public methods may be called by any thread. A limiter starts no threads of its own: its
 * periodic work runs on the {@link io.tidegate.spi.Scheduler}, which refers to it weakly.
 */
@NullMarked
package io.tidegate;

import org.jspecify.annotations.NullMarked;
