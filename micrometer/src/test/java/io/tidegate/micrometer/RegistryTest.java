package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The metrics in the kinds of registries that applications use. */
class RegistryTest {

  private static final LimitRequest REQUEST =
      LimitRequest.of("acme", "login", "user_1", Limit.perMinute(2));

  @Test
  void runsWithTheVersionThatTheBuildNames() {
    assertThat(MeterRegistry.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath())
        .endsWith("micrometer-core-" + System.getProperty("tidegate.micrometer") + ".jar");
  }

  @Test
  void simpleRegistryHasDottedNames() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (RateLimiter limiter = limiter(registry, Tags.empty())) {
      for (int i = 0; i < 5; i++) {
        limiter.tryAcquire(REQUEST);
      }

      assertThat(decisions(registry, "allowed")).isEqualTo(2);
      assertThat(decisions(registry, "denied")).isEqualTo(3);
      assertThat(registry.get("tidegate.ratelimit.series").gauge().value()).isEqualTo(1);
      assertThat(
              registry.get("tidegate.ratelimit.series.added").functionCounter().count())
          .isEqualTo(1);
      assertThat(registry
              .get("tidegate.ratelimit.global.seconds.since.push")
              .gauge()
              .value())
          .isNaN();
    }
  }

  @Test
  void callsAreTimed() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    LimiterMetrics metrics = new LimiterMetrics(registry);
    metrics.originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(20));
    metrics.originAnswered(OriginOperation.REPLAY, TimeUnit.MILLISECONDS.toNanos(40));
    metrics.pushed(7, TimeUnit.MILLISECONDS.toNanos(5));

    Timer replays =
        registry.get("tidegate.ratelimit.origin.latency").tag("op", "replay").timer();
    assertThat(replays.count()).isEqualTo(2);
    assertThat(replays.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(60);
    assertThat(registry.get("tidegate.ratelimit.global.push").timer().count()).isEqualTo(1);
    assertThat(registry
            .get("tidegate.ratelimit.global.push.rows")
            .functionCounter()
            .count())
        .isEqualTo(7);
  }

  /** As in Spring Boot, where registries may be added to the composite late. */
  @Test
  void registryThatIsAddedLaterShowsAllCounts() {
    CompositeMeterRegistry registry = new CompositeMeterRegistry();
    LimiterMetrics metrics = new LimiterMetrics(registry);
    metrics.originAnswered(OriginOperation.REPLAY, 1_000);
    metrics.originFailed(OriginOperation.REPLAY, CallFailure.TIMEOUT);
    metrics.originFailed(OriginOperation.REPLAY, CallFailure.CIRCUIT_OPEN);
    PrometheusMeterRegistry late = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.add(late);
    metrics.originAnswered(OriginOperation.REPLAY, 1_000);

    Scrape scrape = Scrape.of(late);
    assertThat(scrape.value("tidegate_ratelimit_origin_operations_total{op=\"replay\"}"))
        .isEqualTo(3);
    assertThat(scrape.value("tidegate_ratelimit_origin_latency_seconds_count{op=\"replay\"}"))
        .isEqualTo(1);
  }

  @Test
  void limitersWithDifferentTagsShareARegistry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (RateLimiter logins = limiter(registry, Tags.of("limiter", "logins"));
        RateLimiter uploads = limiter(registry, Tags.of("limiter", "uploads"))) {
      logins.tryAcquire(REQUEST);
      uploads.tryAcquire(REQUEST);
      uploads.tryAcquire(REQUEST.withCost(2));

      Scrape scrape = Scrape.of(registry);
      String sample =
          "tidegate_ratelimit_decisions_total{limiter=\"%s\",namespace=\"login\",outcome=\"%s\",source=\"local\",workspace_id=\"acme\"}";
      assertThat(scrape.value(sample.formatted("logins", "allowed"))).isEqualTo(1);
      assertThat(scrape.value(sample.formatted("logins", "denied"))).isZero();
      assertThat(scrape.value(sample.formatted("uploads", "allowed"))).isEqualTo(1);
      assertThat(scrape.value(sample.formatted("uploads", "denied"))).isEqualTo(1);
      assertThat(scrape.value("tidegate_ratelimit_series{limiter=\"uploads\"}")).isEqualTo(1);
    }
  }

  @Test
  void deniedMetersAreLeftOut() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("tidegate.ratelimit.decisions"));
    try (RateLimiter limiter = limiter(registry, Tags.empty())) {
      limiter.tryAcquire(REQUEST);

      assertThat(registry.find("tidegate.ratelimit.decisions").meters()).isEmpty();
      assertThat(registry.find("tidegate.ratelimit.batches").meters()).hasSize(2);
    }
  }

  /** Registries refer to counted objects weakly. */
  @Test
  void limiterKeepsItsMetricsAlive() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (RateLimiter limiter = limiter(registry, Tags.empty())) {
      limiter.tryAcquire(REQUEST);
      for (int i = 0; i < 3; i++) {
        System.gc();
      }

      assertThat(registry.get("tidegate.ratelimit.series").gauge().value()).isEqualTo(1);
      assertThat(decisions(registry, "allowed")).isEqualTo(1);
      limiter.tryAcquire(REQUEST);
      assertThat(decisions(registry, "allowed")).isEqualTo(2);
    }
  }

  /** Two names differ from the server's: Prometheus' client reserves the suffix "_created". */
  @Test
  void prometheusNamesAreThoseOfTheServer() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher name = Pattern.compile("tidegate_ratelimit_[a-z_]+")
        .matcher(Files.readString(Path.of("../docs/operating.md")));
    while (name.find()) {
      documented.add(name.group().replace("series_created", "series_added"));
    }
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    LimiterMetrics metrics = new LimiterMetrics(registry);
    metrics.pushed(1, 1);

    Set<String> shown = new TreeSet<>();
    for (String sample : Scrape.of(registry).names()) {
      shown.add(sample.replaceFirst("_seconds_(bucket|count|sum|max)$", "_seconds"));
    }
    shown.remove("tidegate_region_name_conflict");
    assertThat(shown).hasSizeGreaterThan(25).isEqualTo(documented);
  }

  private static RateLimiter limiter(MeterRegistry registry, Tags tags) {
    LimiterMetrics metrics = new LimiterMetrics(registry, tags);
    RateLimiter limiter = RateLimiter.builder().observer(metrics).build();
    metrics.bind(limiter::stats);
    return limiter;
  }

  private static double decisions(MeterRegistry registry, String outcome) {
    return registry
        .get("tidegate.ratelimit.decisions")
        .tags("workspace.id", "acme", "namespace", "login", "source", "local", "outcome", outcome)
        .functionCounters()
        .stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }
}
