package io.tidegate.model;

import java.util.Optional;

/**
 * Statistics of a limiter: {@code gauge("series", () -> limiter.stats().series())}. Totals are
 * since the start of the limiter.
 *
 * @param series current number of series in memory
 * @param expiredSeries total of series removed because they no longer affected decisions
 * @param evictedSeries total of live series removed because there were more than {@code maxSeries}
 * @param unconfirmedSeries current number of series with counts that the origin has not confirmed;
 *     0 without an origin
 * @param lostTokens total of tokens that the origin never confirmed, because their cell had expired
 *     by then, or because too many series were evicted while the origin was unavailable
 * @param unpushedSeries total of evicted series whose counts were never pushed, because the global
 *     counters were unavailable and too many series were evicted; 0 without global counters
 * @param millisSincePush milliseconds since the last complete push; -1 if there was none
 * @param millisSincePull milliseconds since the last successful pull; -1 if there was none
 * @param createdSeries total of series created by requests to this node
 * @param importedSeries total of series created by counts of other regions; 0 without global
 *     counters
 * @param regionNameConflict whether another region used the name of this one within about the last
 *     minute
 * @param liveNodes nodes of this region that are alive by the last answer of the origin, this one
 *     included; 0 without an origin, and before it has answered
 * @param reader the node of this region that reads the counts of other regions for all its nodes,
 *     by the last answer of the origin; empty if there is none
 * @param reading whether this node reads the counts of other regions: as the reader, or for itself
 *     because it has no origin or the origin does not answer
 */
public record LimiterStats(
    long series,
    long expiredSeries,
    long evictedSeries,
    long unconfirmedSeries,
    long lostTokens,
    long unpushedSeries,
    long millisSincePush,
    long millisSincePull,
    long createdSeries,
    long importedSeries,
    boolean regionNameConflict,
    int liveNodes,
    Optional<String> reader,
    boolean reading) {}
