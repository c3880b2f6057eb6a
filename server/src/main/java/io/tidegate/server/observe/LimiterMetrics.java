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
 * Counts what the limiter does, and tells {@link Health} how its calls go.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.builder().observer(metrics.limiter()).build();
 * metrics.limiter().bind(limiter::stats);
 * }</pre>
 */
public final class LimiterMetrics implements LimiterObserver {

  /** The workspace of the limits that a node sets for itself; its decisions are not counted. */
  public static final String INTERNAL_WORKSPACE = "tidegate";

  private final Decisions decisions;
  private final OriginCalls origin;
  private final GlobalCalls global;
  private final SeriesFigures series;
  private final Health health;

  LimiterMetrics(Registry registry, Health health) {
    this.health = health;
    this.decisions = new Decisions(registry, INTERNAL_WORKSPACE);
    this.origin = new OriginCalls(registry, health.redis());
    this.global = new GlobalCalls(registry, health.mysql());
    this.series = new SeriesFigures(registry);
  }

  /** Says where the figures of the limiter's memory come from. */
  public void bind(Supplier<LimiterStats> stats) {
    series.from(stats);
  }

  /** Asks for those figures; what is scraped until the next time shows them. */
  void refresh() {
    series.refresh();
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    decisions.count(scope, decision);
  }

  /**
   * Each request of a batch counts as a decision too, by what became of it: in a denied batch all
   * are denied, also one that would have passed alone, for nothing was taken.
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
    origin.forgot();
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
    global.forgot();
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
