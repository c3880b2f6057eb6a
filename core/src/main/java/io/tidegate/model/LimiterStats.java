package io.tidegate.model;

/**
 * What a limiter holds in memory: {@code gauge("series", () -> limiter.stats().series())}.
 *
 * @param series series in memory now
 * @param expiredSeries series forgotten so far because they could not matter any more
 * @param evictedSeries live series forgotten so far because there were more than {@code maxSeries}
 */
public record LimiterStats(long series, long expiredSeries, long evictedSeries) {}
