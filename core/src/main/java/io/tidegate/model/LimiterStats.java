package io.tidegate.model;

/**
 * What a limiter holds in memory: {@code gauge("series", () -> limiter.stats().series())}.
 *
 * @param series series in memory now
 * @param expiredSeries series forgotten so far because they could not matter any more
 * @param evictedSeries live series forgotten so far because there were more than {@code maxSeries}
 * @param unconfirmedSeries series with counts that the origin has not confirmed yet; 0 without one
 * @param lostTokens tokens so far that the origin never confirmed: their cell was over by then, so
 *     that they cannot matter any more, or their series was one of too many that were evicted while
 *     the origin did not answer
 * @param unpushedSeries evicted series so far that other regions never heard of, because the global
 *     counters did not answer and there were too many of them; 0 without such
 * @param millisSincePush how long ago all that was worth it had been told to the other regions; -1
 *     if never, as without global counters
 * @param millisSincePull how long ago the counts of other regions were read; -1 if never
 * @param createdSeries series created so far because of requests to this node
 * @param importedSeries series created so far because other regions reported counts of them; 0
 *     without global counters
 * @param regionNameConflict whether another region was found to use the name of this one, within
 *     about the last minute
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
    boolean regionNameConflict) {}
