package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimiterStats;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The details of the health of the limiter, for both versions of Spring Boot.
 *
 * <p>The status is always UP: without Redis or the database the limiter decides from memory, and
 * the application can serve every request. A status that is not UP would make load balancers and
 * Kubernetes take all instances out of service for a fault that none of them can repair. Details
 * and metrics show the fault.
 */
final class TidegateHealth {

  private final RateLimiter limiter;
  private final CountStores stores;

  TidegateHealth(RateLimiter limiter, CountStores stores) {
    this.limiter = limiter;
    this.stores = stores;
  }

  Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    boolean degraded = stores.health().isDegraded();
    details.put("limiter", degraded ? "degraded" : "ok");
    details.put("counts", stores.description());
    details.putAll(stores.health().connections());
    LimiterStats stats = limiter.stats();
    details.put("series", stats.series());
    if (degraded) {
      details.put("unconfirmedSeries", stats.unconfirmedSeries());
    }
    if (stats.regionNameConflict()) {
      details.put("limiter", "degraded");
      details.put("regionNameConflict", "another region has the name of this one");
    }
    return details;
  }
}
