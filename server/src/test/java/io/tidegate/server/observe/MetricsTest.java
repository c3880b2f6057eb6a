package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limiter's metrics as the server exposes them; tidegate-micrometer tests their values. */
class MetricsTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final Metrics metrics = new Metrics("test", "eu", "node-1", new Health(time));

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void internalLimitsAreNotCounted() {
    assertThat(Metrics.INTERNAL_WORKSPACE).isEqualTo(KnownWorkspace.OWN_WORKSPACE);
    try (RateLimiter limiter = limiter()) {
      LimitRequest own =
          LimitRequest.of(Metrics.INTERNAL_WORKSPACE, "login", "acme", Limit.perMinute(1));
      limiter.tryAcquire(own);
      limiter.tryAcquire(own);
      limiter.tryAcquireAll(List.of(own));
    }

    assertThat(Scrape.of(metrics).value("tidegate_ratelimit_batches_total{outcome=\"denied\"}"))
        .isZero();
    assertThat(metrics.scrape()).doesNotContain("workspace_id=\"tidegate\"");
  }

  @Test
  void statisticsAreReadOncePerScrape() {
    AtomicInteger asked = new AtomicInteger();
    metrics.bind(() -> {
      asked.incrementAndGet();
      return new LimiterStats(
          1, 2, 3, 4, 5, 6, 7_000, 8_500, 10, 11, true, 9, Optional.of("n7"), true);
    });
    Scrape scrape = Scrape.of(metrics);

    assertThat(asked).hasValue(1);
    assertThat(scrape.value("tidegate_ratelimit_series")).isEqualTo(1);
    assertThat(scrape.value("tidegate_ratelimit_unconfirmed_series")).isEqualTo(4);
    assertThat(scrape.value("tidegate_ratelimit_global_seconds_since_pull")).isEqualTo(8.5);
  }

  /** Their names in Micrometer differ, because its default convention removes "created". */
  @Test
  void createdSeriesAreExposedAsSuch() {
    metrics.bind(() ->
        new LimiterStats(1, 0, 0, 0, 0, 0, -1, -1, 10, 11, false, 0, Optional.empty(), false));
    Scrape scrape = Scrape.of(metrics);

    assertThat(scrape.value("tidegate_ratelimit_series_created_total")).isEqualTo(10);
    assertThat(scrape.value("tidegate_ratelimit_global_series_created_total")).isEqualTo(11);
    assertThat(scrape.names()).noneMatch(name -> name.contains("added"));
  }

  @Test
  void latenciesHaveBucketsAndNoMaximum() {
    metrics.limiter().originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(1));
    metrics.limiter().originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(300));
    metrics.limiter().originAnswered(OriginOperation.REPLAY, TimeUnit.SECONDS.toNanos(11));
    metrics.limiter().pushed(1, TimeUnit.MILLISECONDS.toNanos(2));
    Scrape scrape = Scrape.of(metrics);

    String name = "tidegate_ratelimit_origin_latency_seconds";
    assertThat(scrape.value(name + "_bucket{op=\"replay\",le=\"0.001\"}")).isEqualTo(1);
    assertThat(scrape.value(name + "_bucket{op=\"replay\",le=\"0.3\"}")).isEqualTo(2);
    assertThat(scrape.value(name + "_bucket{op=\"replay\",le=\"10.0\"}")).isEqualTo(2);
    assertThat(scrape.value(name + "_bucket{op=\"replay\",le=\"+Inf\"}")).isEqualTo(3);
    assertThat(scrape.value(name + "_sum{op=\"replay\"}")).isEqualTo(11.301);
    assertThat(scrape.value("tidegate_ratelimit_global_push_seconds_bucket{le=\"0.002\"}"))
        .isEqualTo(1);
    assertThat(scrape.names())
        .noneMatch(sample -> sample.startsWith("tidegate_") && sample.endsWith("_max"));
  }

  @Test
  void observerCountsAndReportsToHealth() {
    Health health = new Health(time);
    health.watch(new InMemoryOrigin());
    health.catalogRead(1);
    try (Metrics observed = new Metrics("test", "eu", "node-1", health)) {
      observed.limiter().originFailed(OriginOperation.REPLAY, CallFailure.TIMEOUT);

      assertThat(health.isDegraded("origin")).isTrue();
      assertThat(Scrape.of(observed)
              .value("tidegate_ratelimit_origin_errors_total{op=\"replay\",reason=\"timeout\"}"))
          .isEqualTo(1);
    }
  }

  private RateLimiter limiter() {
    RateLimiter limiter = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(metrics.limiter())
        .build();
    metrics.bind(limiter::stats);
    return limiter;
  }
}
