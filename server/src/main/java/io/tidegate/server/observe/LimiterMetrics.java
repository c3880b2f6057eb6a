package io.tidegate.server.observe;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import java.util.List;
import java.util.function.Supplier;

/**
 * Meters of the limiter, and the source of {@link Health} for the servers that the limiter calls.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.builder().observer(metrics.limiter()).build();
 * metrics.limiter().bind(limiter::stats);
 * }</pre>
 *
 * <p>The limiter calls it on any thread, decisions on the hot path: counting one costs a few map
 * lookups and adders, and allocates nothing.
 */
public final class LimiterMetrics implements LimiterObserver {

  /** The workspace of the node's own limits, such as those of workspaces; not counted. */
  public static final String INTERNAL_WORKSPACE = "tidegate";

  private final DecisionMetrics decisions;
  private final OriginMetrics origin;
  private final GlobalCountersMetrics global;
  private final SeriesMetrics series;
  private final Health health;

  LimiterMetrics(Registry registry, Health health) {
    this.health = health;
    this.decisions = new DecisionMetrics(registry, INTERNAL_WORKSPACE);
    this.origin = new OriginMetrics(registry, health.origin());
    this.global = new GlobalCountersMetrics(registry, health.globalCounters());
    this.series = new SeriesMetrics(registry);
  }

  /** Sets the source of the metrics about the limiter's memory. Called once, before a scrape. */
  public void bind(Supplier<LimiterStats> stats) {
    series.from(stats);
  }

  /** The statistics of the limiter at this moment. */
  LimiterStats stats() {
    return series.current();
  }

  /** Reads the statistics of the limiter that the next scrape shows. */
  void refresh() {
    series.refresh();
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    decisions.count(scope, decision);
  }

  /**
   * Counts each request of a batch as a decision too. In a denied batch all are counted as denied,
   * even one that would be allowed alone, since none was charged.
   */
  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
    decisions.count(requests, decision);
  }

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    decisions.countStrictMode(scope.workspace());
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    origin.answered(operation, nanos);
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    origin.failed(operation, failure);
  }

  @Override
  public void originLostCounts() {
    origin.lostCounts();
  }

  @Override
  public void pushed(int rows, long nanos) {
    global.pushed(rows, nanos);
  }

  @Override
  public void pushFailed(CallFailure failure) {
    global.pushFailed(failure);
  }

  @Override
  public void globalCountersLostCounts() {
    global.lostCounts();
  }

  @Override
  public void regionNameConflict(String region) {
    health.regionNameConflict();
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    global.pulled(rows, applied, nanos);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    global.pullFailed(failure);
  }
}
