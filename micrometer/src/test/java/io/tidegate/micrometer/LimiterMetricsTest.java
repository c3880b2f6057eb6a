package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimiterMetricsTest {

  private static final Scope LOGINS = Scope.of("acme", "login", Duration.ofMinutes(1));

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final LimiterMetrics metrics = new LimiterMetrics(registry);
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void decisionsAreCountedByWorkspaceAndOutcome() {
    RateLimiter limiter = limiter(builder -> builder);
    for (int i = 0; i < 5; i++) {
      limiter.tryAcquire(request("acme", "user_1", 3));
    }
    limiter.tryAcquire(request("zenith", "user_1", 3));

    assertThat(decisions("acme", "local", "allowed")).isEqualTo(3);
    assertThat(decisions("acme", "local", "denied")).isEqualTo(2);
    assertThat(decisions("zenith", "local", "allowed")).isEqualTo(1);
    assertThat(decisions("zenith", "local", "denied")).isZero();
    assertThat(value("strict_mode_activations_total{workspace_id=\"acme\"}")).isEqualTo(1);
    assertThat(degraded("acme")).isZero();
  }

  @Test
  void noMetricContainsAnIdentifier() {
    RateLimiter limiter = limiter(builder -> builder);
    limiter.tryAcquire(request("acme", "user_1", 3));

    assertThat(registry.scrape()).contains("acme").contains("login").doesNotContain("user_1");
  }

  @Test
  void degradedDecisionsAreCountedByWorkspaceAndNamespace() {
    decide("acme", "login", true);
    decide("acme", "search", false);
    decide("zenith", "login", true);
    decide("zenith", "login", true);

    assertThat(degraded("acme", "login")).isEqualTo(1);
    assertThat(degraded("acme", "search")).isZero();
    assertThat(degraded("zenith", "login")).isEqualTo(2);
  }

  @Test
  void workspaceHasAtMostAHundredNamespaces() {
    for (int i = 0; i < 103; i++) {
      decide("acme", "namespace_" + i, true);
    }
    decide("acme", "namespace_0", true);
    decide("acme", "other", true);
    decide("zenith", "namespace_102", true);

    assertThat(degraded("acme", "namespace_0")).isEqualTo(2);
    assertThat(degraded("acme", "namespace_99")).isEqualTo(1);
    assertThat(degraded("acme", "other")).isEqualTo(4);
    assertThat(Scrape.of(registry).has(degradedOf("acme", "namespace_100"))).isFalse();
    assertThat(degraded("zenith", "namespace_102")).isEqualTo(1);
  }

  @Test
  void allWorkspacesTogetherHaveAtMostAThousandNamespaces() {
    for (int workspace = 0; workspace < 11; workspace++) {
      for (int i = 0; i < 100; i++) {
        decide("workspace_" + workspace, "namespace_" + i, true);
      }
    }

    assertThat(degraded("workspace_9", "namespace_99")).isEqualTo(1);
    assertThat(degraded("workspace_10", "other")).isEqualTo(100);
    assertThat(Scrape.of(registry).has(degradedOf("workspace_10", "namespace_0")))
        .isFalse();
  }

  @Test
  void longNamespaceIsCountedAsOther() {
    decide("acme", "n".repeat(128), true);
    decide("acme", "n".repeat(129), true);

    assertThat(degraded("acme", "n".repeat(128))).isEqualTo(1);
    assertThat(degraded("acme", "other")).isEqualTo(1);
  }

  @Test
  void hostileNamespaceStaysOnItsLine() {
    decide("acme", "a\"} 1\nforged_total 7 \\", true);

    assertThat(registry.scrape())
        .contains("namespace=\"a\\\"} 1\\nforged_total 7 \\\\\"")
        .doesNotContain("\nforged");
  }

  @Test
  void decisionsAfterAReadComeFromTheOrigin() {
    RateLimiter limiter = limiter(builder -> builder.origin(origin));
    limiter.tryAcquire(request("acme", "user_1", 3)); // cold
    limiter.tryAcquire(request("acme", "user_1", 3));

    assertThat(decisions("acme", "origin", "allowed")).isEqualTo(1);
    assertThat(decisions("acme", "local", "allowed")).isEqualTo(1);
    assertThat(value("origin_operations_total{op=\"read_cold\"}")).isEqualTo(1);
    assertThat(value("origin_latency_seconds_count{op=\"read_cold\"}")).isEqualTo(1);
    assertThat(value("origin_operations_total{op=\"replay\"}")).isZero();
    assertThat(value("unconfirmed_series")).isEqualTo(1);

    time.advance(Duration.ofMillis(10));
    assertThat(value("origin_operations_total{op=\"replay\"}")).isEqualTo(1);
    assertThat(value("unconfirmed_series")).isZero();
  }

  @Test
  void failedReadsAreErrorsAndDegradeDecisions() {
    origin.fail(new IllegalStateException("down"));
    RateLimiter limiter = limiter(builder -> builder.origin(origin));
    limiter.tryAcquire(request("acme", "user_1", 3));

    assertThat(degraded("acme")).isEqualTo(1);
    assertThat(value("origin_errors_total{op=\"read_cold\",reason=\"other\"}")).isEqualTo(1);
    assertThat(value("origin_operations_total{op=\"read_cold\"}")).isEqualTo(1);
    assertThat(value("origin_latency_seconds_count{op=\"read_cold\"}")).isZero();
  }

  @Test
  void callSkippedByTheBreakerIsAnErrorAndNoOperation() {
    metrics.originFailed(OriginOperation.REPLAY, CallFailure.CIRCUIT_OPEN);
    metrics.originFailed(OriginOperation.REPLAY, CallFailure.TIMEOUT);

    assertThat(value("origin_errors_total{op=\"replay\",reason=\"circuit_open\"}"))
        .isEqualTo(1);
    assertThat(value("origin_operations_total{op=\"replay\"}")).isEqualTo(1);
  }

  @Test
  void lostCountsOfTheOriginAreCounted() {
    RateLimiter limiter = limiter(builder -> builder.origin(origin));
    limiter.tryAcquire(request("acme", "user_1", 3));
    time.advance(Duration.ofSeconds(1));
    origin.loseCounts();
    time.advance(Duration.ofSeconds(1));

    assertThat(value("origin_lost_counts_total")).isEqualTo(1);
    assertThat(value("origin_operations_total{op=\"loss_check\"}")).isPositive();
  }

  @Test
  void eachRequestOfABatchIsADecision() {
    RateLimiter limiter = limiter(builder -> builder);
    limiter.tryAcquireAll(List.of(request("acme", "user_1", 3), request("acme", "user_2", 3)));

    assertThat(decisions("acme", "local", "allowed")).isEqualTo(2);
    assertThat(value("batches_total{outcome=\"allowed\"}")).isEqualTo(1);
    assertThat(value("batches_total{outcome=\"denied\"}")).isZero();
  }

  @Test
  void everyRequestOfADeniedBatchIsDenied() {
    RateLimiter limiter = limiter(builder -> builder);
    limiter.tryAcquireAll(List.of(request("acme", "user_1", 3), request("acme", "user_2", 0)));

    assertThat(decisions("acme", "local", "allowed")).isZero();
    assertThat(decisions("acme", "local", "denied")).isEqualTo(2);
    assertThat(value("batches_total{outcome=\"denied\"}")).isEqualTo(1);
  }

  @Test
  void excludedWorkspaceIsNotCounted() {
    metrics.exclude("own");
    RateLimiter limiter = limiter(builder -> builder.origin(origin));
    origin.fail(new IllegalStateException("down"));
    LimitRequest own = request("own", "acme", 1);
    limiter.tryAcquire(own);
    limiter.tryAcquire(own);
    limiter.tryAcquireAll(List.of(own));

    assertThat(degraded("other")).isZero();
    assertThat(value("batches_total{outcome=\"denied\"}")).isZero();
    assertThat(registry.scrape()).doesNotContain("workspace_id=\"own\"");
  }

  @Test
  void workspaceBeyondTheBoundIsCountedAsOther() {
    for (int i = 0; i < 1_003; i++) {
      decide("workspace_" + i);
    }
    decide("workspace_0");
    decide("workspace_1001");
    decide("other");

    assertThat(decisions("workspace_0", "local", "allowed")).isEqualTo(2);
    assertThat(decisions("workspace_999", "local", "allowed")).isEqualTo(1);
    assertThat(Scrape.of(registry).has(decisionsOf("workspace_1000", "local", "allowed")))
        .isFalse();
    assertThat(decisions("other", "local", "allowed")).isEqualTo(5);
  }

  @Test
  void countsOfManyThreadsAddUp() throws InterruptedException {
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 10_000; i++) {
          decide("workspace_" + i % 7);
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    double sum = 0;
    for (int i = 0; i < 7; i++) {
      sum += decisions("workspace_" + i, "local", "allowed");
    }
    assertThat(sum).isEqualTo(40_000);
  }

  @Test
  void seriesAreCountedFromCreationToRemoval() {
    RateLimiter limiter = limiter(builder -> builder.maxSeries(100));
    for (int i = 0; i < 110; i++) {
      limiter.tryAcquire(request("acme", "user_" + i, 3));
    }
    assertThat(value("series")).isEqualTo(100);
    assertThat(value("series_added_total")).isEqualTo(110);
    assertThat(value("series_evicted_total")).isEqualTo(10);
    assertThat(value("series_expired_total")).isZero();

    time.advance(Duration.ofMinutes(5));
    assertThat(value("series")).isZero();
    assertThat(value("series_added_total")).isEqualTo(110);
    assertThat(value("series_expired_total")).isEqualTo(100);
  }

  @Test
  void statisticsAreShown() {
    metrics.bind(() ->
        new LimiterStats(1, 2, 3, 4, 5, 6, 7_000, 8_500, 10, 11, true, 9, Optional.of("n7"), true));

    assertThat(value("series")).isEqualTo(1);
    assertThat(value("series_expired_total")).isEqualTo(2);
    assertThat(value("series_evicted_total")).isEqualTo(3);
    assertThat(value("unconfirmed_series")).isEqualTo(4);
    assertThat(value("lost_tokens_total")).isEqualTo(5);
    assertThat(value("unpushed_series_total")).isEqualTo(6);
    assertThat(value("global_seconds_since_push")).isEqualTo(7);
    assertThat(value("global_seconds_since_pull")).isEqualTo(8.5);
    assertThat(value("series_added_total")).isEqualTo(10);
    assertThat(value("global_series_added_total")).isEqualTo(11);
    assertThat(value("live_nodes")).isEqualTo(9);
    assertThat(value("reading")).isEqualTo(1);
    assertThat(Scrape.of(registry).value("tidegate_region_name_conflict")).isEqualTo(1);
  }

  @Test
  void nodeThatLeavesReadingToAnotherShowsZero() {
    assertThat(value("reading")).isZero();
    metrics.bind(
        () -> new LimiterStats(1, 2, 3, 4, 5, 6, 7, 8, 0, 0, false, 9, Optional.of("n7"), false));
    assertThat(value("reading")).isZero();
  }

  @Test
  void nodeWithoutGlobalCountersHasNoTimeSinceAPull() {
    limiter(builder -> builder);

    assertThat(value("global_seconds_since_push")).isNaN();
    assertThat(value("global_seconds_since_pull")).isNaN();
  }

  @Test
  void pushesAndPullsAreCounted() {
    RateLimiter eu = limiter(builder -> builder.region("eu").globalCounters(counters));
    try (RateLimiter us = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("us")
        .globalCounters(counters)
        .build()) {
      us.tryAcquire(request("acme", "user_2", 3));
      eu.tryAcquire(request("acme", "user_1", 3));
      time.advance(Duration.ofSeconds(5));
    }

    Scrape scrape = Scrape.of(registry);
    assertThat(scrape.value("tidegate_ratelimit_global_push_rows_total")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_global_push_seconds_count")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_series")).isEqualTo(2);
    assertThat(scrape.value("tidegate_ratelimit_series_added_total")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_global_series_added_total")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_global_pull_rows_applied_total"))
        .isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_global_pull_rows_total")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_global_pull_seconds_count")).isBetween(15.0, 30.0);
    assertThat(scrape.value("tidegate_ratelimit_global_pull_rows_last")).isZero();
    assertThat(scrape.value("tidegate_ratelimit_global_seconds_since_pull")).isBetween(0.0, 2.0);
  }

  @Test
  void failuresOfTheGlobalCountersAreCountedByReason() {
    counters.fail(new IllegalStateException("down"));
    RateLimiter limiter = limiter(builder -> builder.region("eu").globalCounters(counters));
    limiter.tryAcquire(request("acme", "user_1", 3));
    time.advance(Duration.ofSeconds(3));
    metrics.globalCountersLostCounts();
    metrics.pushFailed(CallFailure.TIMEOUT);

    assertThat(value("global_push_errors_total{reason=\"other\"}")).isPositive();
    assertThat(value("global_push_errors_total{reason=\"timeout\"}")).isEqualTo(1);
    assertThat(value("global_pull_errors_total{reason=\"other\"}")).isPositive();
    assertThat(value("global_lost_counts_total")).isEqualTo(1);
  }

  @Test
  void latenciesFallIntoTheirBuckets() {
    metrics.originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(1));
    metrics.originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(300));
    metrics.originAnswered(OriginOperation.REPLAY, TimeUnit.SECONDS.toNanos(11));

    assertThat(value("origin_latency_seconds_bucket{op=\"replay\",le=\"0.001\"}"))
        .isEqualTo(1);
    assertThat(value("origin_latency_seconds_bucket{op=\"replay\",le=\"0.2\"}")).isEqualTo(1);
    assertThat(value("origin_latency_seconds_bucket{op=\"replay\",le=\"0.3\"}")).isEqualTo(2);
    assertThat(value("origin_latency_seconds_bucket{op=\"replay\",le=\"10.0\"}"))
        .isEqualTo(2);
    assertThat(value("origin_latency_seconds_bucket{op=\"replay\",le=\"+Inf\"}"))
        .isEqualTo(3);
    assertThat(value("origin_latency_seconds_count{op=\"replay\"}")).isEqualTo(3);
    assertThat(value("origin_latency_seconds_sum{op=\"replay\"}")).isEqualTo(11.301);
  }

  private RateLimiter limiter(UnaryOperator<RateLimiterBuilder> settings) {
    RateLimiter limiter = settings
        .apply(RateLimiter.builder().clock(time).scheduler(time).observer(metrics))
        .build();
    metrics.bind(limiter::stats);
    return limiter;
  }

  private void decide(String workspace) {
    metrics.decided(
        new Scope(workspace, LOGINS.namespace(), LOGINS.windowMillis()),
        "user_1",
        new Decision(true, 3, 2, 0, 0, 1, Source.LOCAL, false));
  }

  private void decide(String workspace, String namespace, boolean degraded) {
    metrics.decided(
        new Scope(workspace, namespace, LOGINS.windowMillis()),
        "user_1",
        new Decision(true, 3, 2, 0, 0, 1, Source.LOCAL, degraded));
  }

  private double degraded(String workspace) {
    return degraded(workspace, workspace.equals("other") ? "other" : LOGINS.namespace());
  }

  private double degraded(String workspace, String namespace) {
    return Scrape.of(registry).value(degradedOf(workspace, namespace));
  }

  private static String degradedOf(String workspace, String namespace) {
    return "tidegate_ratelimit_degraded_decisions_total{namespace=\"%s\",workspace_id=\"%s\"}"
        .formatted(namespace, workspace);
  }

  private double value(String sample) {
    return Scrape.of(registry).value("tidegate_ratelimit_" + sample);
  }

  private double decisions(String workspace, String source, String outcome) {
    return Scrape.of(registry).value(decisionsOf(workspace, source, outcome));
  }

  private static String decisionsOf(String workspace, String source, String outcome) {
    return "tidegate_ratelimit_decisions_total{namespace=\"%s\",outcome=\"%s\",source=\"%s\",workspace_id=\"%s\"}"
        .formatted(
            workspace.equals("other") ? "other" : LOGINS.namespace(), outcome, source, workspace);
  }

  private static LimitRequest request(String workspace, String identifier, long tokens) {
    return LimitRequest.of(workspace, "login", identifier, Limit.perMinute(tokens));
  }
}
