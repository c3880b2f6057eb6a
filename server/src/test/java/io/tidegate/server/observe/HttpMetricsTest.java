package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.observe.HttpMetrics.CutOff;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpMetricsTest {

  private final Metrics metrics =
      new Metrics("1.2.3", "eu", "node-1", new Health(InstantSource.system()));
  private final HttpMetrics http = metrics.http();

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void responsesAreCountedByRouteAndStatus() {
    RouteMeters limit = http.route("/v2/ratelimit.limit");
    limit.answered(200, 1);
    limit.answered(200, 1);
    limit.answered(503, 1);
    http.route("other").answered(404, 1);

    assertThat(requests("/v2/ratelimit.limit", 200)).isEqualTo(2);
    assertThat(requests("/v2/ratelimit.limit", 503)).isEqualTo(1);
    assertThat(requests("other", 404)).isEqualTo(1);
    assertThat(requests("other", 200)).isZero();
  }

  @Test
  void samePathHasTheSameMeters() {
    assertThat(http.route("/v2/ratelimit.limit")).isSameAs(http.route("/v2/ratelimit.limit"));
  }

  @Test
  void latenciesFallIntoTheirBuckets() {
    RouteMeters limit = http.route("/limit");
    limit.answered(200, TimeUnit.MICROSECONDS.toNanos(100));
    limit.answered(200, TimeUnit.MICROSECONDS.toNanos(101));
    limit.answered(500, TimeUnit.SECONDS.toNanos(20));

    assertThat(value("request_seconds_bucket{route=\"/limit\",le=\"1.0E-4\"}")).isEqualTo(1);
    assertThat(value("request_seconds_bucket{route=\"/limit\",le=\"2.0E-4\"}")).isEqualTo(2);
    assertThat(value("request_seconds_bucket{route=\"/limit\",le=\"10.0\"}")).isEqualTo(2);
    assertThat(value("request_seconds_bucket{route=\"/limit\",le=\"+Inf\"}")).isEqualTo(3);
    assertThat(value("request_seconds_sum{route=\"/limit\"}")).isEqualTo(20.000201);
  }

  @Test
  void negativeLatencyDoesNotLowerTheSum() {
    http.route("/limit").answered(200, -5);

    assertThat(value("request_seconds_count{route=\"/limit\"}")).isEqualTo(1);
    assertThat(value("request_seconds_sum{route=\"/limit\"}")).isZero();
  }

  @Test
  void openConnectionsAreCounted() {
    http.connectionOpened();
    http.connectionOpened();
    http.connectionClosed();
    http.connectionRefused();

    assertThat(value("connections")).isEqualTo(1);
    assertThat(value("connections_refused_total")).isEqualTo(1);
  }

  @Test
  void cutOffConnectionsAreCountedByReason() {
    http.cutOff(CutOff.SLOW_HEADERS);
    http.cutOff(CutOff.SLOW_HEADERS);
    http.cutOff(CutOff.CLIENT_CLOSED);

    assertThat(value("cut_off_total{reason=\"slow_headers\"}")).isEqualTo(2);
    assertThat(value("cut_off_total{reason=\"client_closed\"}")).isEqualTo(1);
    assertThat(value("cut_off_total{reason=\"idle\"}")).isZero();
  }

  @Test
  void versionIsShown() {
    assertThat(Scrape.of(metrics)
            .value("tidegate_build_info{node=\"node-1\",region=\"eu\",version=\"1.2.3\"}"))
        .isEqualTo(1);
  }

  private double requests(String route, int status) {
    return value("requests_total{route=\"%s\",status=\"%d\"}".formatted(route, status));
  }

  private double value(String sample) {
    return Scrape.of(metrics).value("tidegate_http_" + sample);
  }
}
