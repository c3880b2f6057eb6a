package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimiterStats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code tidegate}, with the rules and the statistics of the limiter. Exposed
 * over HTTP with {@code management.endpoints.web.exposure.include=tidegate}.
 */
@Endpoint(id = "tidegate")
final class TidegateEndpoint {

  private final RateLimiter limiter;
  private final @Nullable CountStores stores;
  private final List<RuleDescription> rules;

  /**
   * The endpoint.
   *
   * @param stores null if the limiter is a bean of the application
   */
  TidegateEndpoint(RateLimiter limiter, @Nullable CountStores stores, List<RuleDescription> rules) {
    this.limiter = limiter;
    this.stores = stores;
    this.rules = rules;
  }

  @ReadOperation
  Report report() {
    LimiterStats stats = limiter.stats();
    return new Report(
        stores == null ? "those of the bean RateLimiter" : stores.description(),
        rules,
        new Statistics(
            stats.series(),
            stats.createdSeries(),
            stats.expiredSeries(),
            stats.evictedSeries(),
            stats.unconfirmedSeries(),
            stats.lostTokens(),
            stats.unpushedSeries(),
            stats.liveNodes()));
  }

  /**
   * The answer.
   *
   * @param counts where the counts are
   * @param rules the rules in the order of the properties
   * @param statistics the statistics of the limiter at this moment
   */
  record Report(String counts, List<RuleDescription> rules, Statistics statistics) {}

  /** The statistics that {@link LimiterStats} explains. */
  record Statistics(
      long series,
      long createdSeries,
      long expiredSeries,
      long evictedSeries,
      long unconfirmedSeries,
      long lostTokens,
      long unpushedSeries,
      int liveNodes) {}
}
