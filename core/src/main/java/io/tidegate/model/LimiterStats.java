package io.tidegate.model;

/**
 * What a limiter holds in memory: {@code gauge("series", () -> limiter.stats().series())}.
 *
 * @param series series in memory now
 * @param expiredSeries series forgotten so far because they could not matter any more
 * @param evictedSeries live series forgotten so far because there were more than {@code maxSeries}
 * @param unconfirmedSeries series with counts that the origin has not confirmed yet; 0 without one
 * @param expiredTokens tokens so far whose cell was over before the origin confirmed them: too late
 *     to matter to any decision
 */
public record LimiterStats(
    long series,
    long expiredSeries,
    long evictedSeries,
    long unconfirmedSeries,
    long expiredTokens) {}
