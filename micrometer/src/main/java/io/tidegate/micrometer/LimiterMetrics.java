package io.tidegate.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The metrics of a limiter, registered in a Micrometer registry of any kind.
 *
 * <pre>{@code
 * LimiterMetrics metrics = new LimiterMetrics(meterRegistry);
 * RateLimiter limiter = RateLimiter.builder().observer(metrics).build();
 * metrics.bind(limiter::stats);
 * }</pre>
 *
 * <p>Decisions are counted by workspace, namespace, source and outcome, never by identifier. At
 * most 100 namespaces of a workspace and 1,000 of each in all have meters of their own; the others
 * are counted together as "other".
 *
 * <p>One object serves one limiter. Two limiters in one registry need different
 * {@linkplain #LimiterMetrics(MeterRegistry, Iterable) tags}, because a registry ignores the second
 * of two meters with the same name and tags.
 *
 * <p>The limiter calls it on any thread, decisions on the hot path: counting one costs a few map
 * lookups and adders, and allocates nothing.
 */
public final class LimiterMetrics implements LimiterObserver {

  private final DecisionMetrics decisions;
  private final OriginMetrics origin;
  private final GlobalCountersMetrics global;
  private final SeriesMetrics series;

  /**
   * Registers the meters: {@code new LimiterMetrics(meterRegistry)}.
   *
   * @param registry the registry of the application, such as a {@code PrometheusMeterRegistry} or
   *     the composite registry of Spring Boot
   */
  public LimiterMetrics(MeterRegistry registry) {
    this(registry, Tags.empty());
  }

  /**
   * Registers the meters with further tags: {@code new LimiterMetrics(meterRegistry,
   * Tags.of("limiter", "uploads"))}.
   *
   * @param registry the registry of the application
   * @param tags added to every meter; Prometheus requires the same tag keys for all limiters
   */
  public LimiterMetrics(MeterRegistry registry, Iterable<Tag> tags) {
    Meters meters = new Meters(Objects.requireNonNull(registry, "registry must not be null"), tags);
    this.decisions = new DecisionMetrics(meters);
    this.origin = new OriginMetrics(meters);
    this.global = new GlobalCountersMetrics(meters);
    this.series = new SeriesMetrics(meters);
  }

  /**
   * Sets the source of the metrics about the limiter's memory, which are 0 before:
   * {@code metrics.bind(limiter::stats)}. Each of these meters calls the source when it is read.
   *
   * @param stats the statistics of the limiter
   */
  public void bind(Supplier<LimiterStats> stats) {
    series.from(Objects.requireNonNull(stats, "stats must not be null"));
  }

  /**
   * Leaves the decisions of a workspace out: {@code metrics.exclude("internal")}. To be called
   * before the first decision.
   *
   * @param workspace the workspace that is not counted
   */
  public void exclude(String workspace) {
    decisions.exclude(workspace);
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
  public void pulled(int rows, int applied, int created, long nanos) {
    global.pulled(rows, applied, nanos);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    global.pullFailed(failure);
  }
}
