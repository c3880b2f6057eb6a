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
 */
public record LimiterStats(
    long series, long expiredSeries, long evictedSeries, long unconfirmedSeries, long lostTokens) {}
