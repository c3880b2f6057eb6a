package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.observe.Dependency.State;
import io.tidegate.server.observe.Dependency.Status;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(1_000));
  private final Health health = new Health(time, true, true);
  private final Metrics metrics = new Metrics("test", health);
  private final LimiterObserver limiter = metrics.limiter();

  @AfterEach
  void close() {
    metrics.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                              starting, false",
    "catalogFailed,                                   starting, false",
    "catalogFailed redisFailed,                       starting, false",
    "catalogRead,                                     ok,       true",
    "catalogFailed catalogRead,                       ok,       true",
    "catalogRead catalogFailed,                       degraded, true",
    "catalogRead catalogFailed catalogRead,           ok,       true",
    "catalogRead redisWorked pullWorked,              ok,       true",
    "catalogRead redisFailed,                         degraded, true",
    "catalogRead redisFailed redisWorked,             ok,       true",
    "catalogRead replayFailed redisWorked,            degraded, true",
    "catalogRead pullFailed,                          degraded, true",
    "catalogRead pushFailed pullWorked,               degraded, true",
    "catalogRead pushFailed pullFailed pullWorked,    degraded, true",
    "catalogRead pushFailed pullFailed pullWorked pushWorked, ok, true",
    "stopping,                                        stopping, false",
    "catalogRead stopping,                            stopping, false",
    "catalogRead redisFailed stopping,                stopping, false",
    "stopping catalogRead,                            stopping, false",
  })
  void statusFollowsFromWhatHappened(String events, String status, boolean ready) {
    for (String event : events.split(" ")) {
      happen(event);
    }

    assertThat(health.status()).isEqualTo(status);
    assertThat(health.isReady()).isEqualTo(ready);
    assertThat(Scrape.of(metrics).value("tidegate_ready")).isEqualTo(ready ? 1 : 0);
  }

  @Test
  void whatIsNotConfiguredIsUnused() {
    Health alone = new Health(time, false, false);
    alone.catalogRead(1);

    assertThat(alone.dependencies().get("redis").status()).isEqualTo(Status.UNUSED);
    assertThat(alone.dependencies().get("mysql").status()).isEqualTo(Status.UNUSED);
    assertThat(alone.status()).isEqualTo("ok");
  }

  @Test
  void whatIsNotCalledYetIsUnknown() {
    assertThat(health.dependencies().values())
        .extracting(State::status)
        .containsOnly(Status.UNKNOWN);
  }

  @Test
  void aFailureLastsSinceTheFirstOfItsRow() {
    happen("redisFailed");
    time.advance(Duration.ofSeconds(2));
    happen("redisFailed");
    assertThat(redis()).isEqualTo(new State(Status.DEGRADED, "timeout", 1_000));

    happen("redisWorked");
    assertThat(redis()).isEqualTo(State.OK);
    happen("redisFailed");
    assertThat(redis()).isEqualTo(new State(Status.DEGRADED, "timeout", 3_000));
  }

  @Test
  void theOlderFailureIsTold() {
    happen("replayFailed");
    time.advance(Duration.ofSeconds(2));
    happen("redisFailed");

    assertThat(redis()).isEqualTo(new State(Status.DEGRADED, "other", 1_000));
  }

  @Test
  void anOpenCircuitDoesNotHideWhatOpenedIt() {
    happen("redisFailed");
    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.CIRCUIT_OPEN);
    assertThat(redis().reason()).isEqualTo("timeout");

    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.OTHER);
    assertThat(redis().reason()).isEqualTo("other");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mariadb://db.internal/tidegate?user=a&password=b",
        "No such host: db",
        "",
        "Timeout",
        "a_word_that_is_longer_than_forty_characters"
      })
  void aReasonThatIsNoWordIsNotShown(String reason) {
    health.catalogFailed(reason);

    assertThat(health.dependencies().get("catalog").reason()).isEqualTo("other");
  }

  @Test
  void theCatalogIsShown() {
    assertThat(value("tidegate_catalog_seconds_since_read")).isNaN();

    health.catalogRead(42);
    time.advance(Duration.ofSeconds(3));
    health.catalogFailed("timeout");
    health.catalogFailed("timeout");
    assertThat(value("tidegate_catalog_version")).isEqualTo(42);
    assertThat(value("tidegate_catalog_seconds_since_read")).isEqualTo(3);
    assertThat(value("tidegate_catalog_refresh_errors_total")).isEqualTo(2);
    assertThat(value("tidegate_dependency_degraded{dependency=\"catalog\"}")).isEqualTo(1);
    assertThat(value("tidegate_dependency_degraded{dependency=\"redis\"}")).isZero();

    health.catalogRead(43);
    assertThat(value("tidegate_catalog_version")).isEqualTo(43);
    assertThat(value("tidegate_catalog_seconds_since_read")).isZero();
  }

  private void happen(String event) {
    switch (event) {
      case "" -> {}
      case "catalogRead" -> health.catalogRead(1);
      case "catalogFailed" -> health.catalogFailed("timeout");
      case "redisWorked" -> limiter.originAnswered(OriginOperation.READ_STALE, 1);
      case "redisFailed" -> limiter.originFailed(OriginOperation.READ_COLD, CallFailure.TIMEOUT);
      case "replayFailed" -> limiter.originFailed(OriginOperation.REPLAY, CallFailure.OTHER);
      case "pushWorked" -> limiter.pushed(1, 1);
      case "pushFailed" -> limiter.pushFailed(CallFailure.OTHER);
      case "pullWorked" -> limiter.pulled(1, 1, 1, 1);
      case "pullFailed" -> limiter.pullFailed(CallFailure.OTHER);
      case "stopping" -> health.stopping();
      default -> throw new IllegalArgumentException(event);
    }
  }

  private State redis() {
    return health.dependencies().get("redis");
  }

  private double value(String sample) {
    return Scrape.of(metrics).value(sample);
  }
}
