package io.tidegate.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.server.observe.Dependency.State;
import io.tidegate.server.observe.Dependency.Status;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(1_000));
  private final Health health = new Health(time);
  private final Metrics metrics = new Metrics("test", "eu", "node-1", health);
  private final LimiterObserver limiter = metrics.limiter();

  @AfterEach
  void close() {
    metrics.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                              starting, false",
    "catalogFailed,                                   starting, false",
    "catalogFailed originFailed,                      starting, false",
    "catalogRead,                                     ok,       true",
    "catalogFailed catalogRead,                       ok,       true",
    "catalogRead catalogFailed,                       degraded, true",
    "catalogRead catalogFailed catalogRead,           ok,       true",
    "catalogRead originWorked pullWorked,              ok,       true",
    "catalogRead originFailed,                        degraded, true",
    "catalogRead originFailed originWorked,            ok,       true",
    "catalogRead replayFailed originWorked,            degraded, true",
    "catalogRead storeFailed,                         degraded, true",
    "catalogRead storeFailed originWorked,             degraded, true",
    "catalogRead originFailed storeWorked,             degraded, true",
    "catalogRead storeFailed storeWorked,             ok,       true",
    "catalogRead pullFailed,                          degraded, true",
    "catalogRead pushFailed pullWorked,               degraded, true",
    "catalogRead pushFailed pullFailed pullWorked,    degraded, true",
    "catalogRead pushFailed pullFailed pullWorked pushWorked, ok, true",
    "catalogRead regionNameConflict,                  degraded, true",
    "stopping,                                        stopping, false",
    "catalogRead stopping,                            stopping, false",
    "catalogRead originFailed stopping,                stopping, false",
    "stopping catalogRead,                            stopping, false",
  })
  void statusFollowsFromEvents(String events, String status, boolean ready) {
    for (String event : events.split(" ", -1)) {
      happen(event);
    }

    assertThat(health.status()).isEqualTo(status);
    assertThat(health.isReady()).isEqualTo(ready);
    assertThat(Scrape.of(metrics).value("tidegate_ready")).isEqualTo(ready ? 1 : 0);
  }

  @Test
  void dependencyThatIsNotConfiguredIsUnused() {
    Health alone = new Health(time);
    alone.catalogRead(1);

    assertThat(alone.dependencies().get("origin").status()).isEqualTo(Status.UNUSED);
    assertThat(alone.dependencies().get("global_counters").status()).isEqualTo(Status.UNUSED);
    assertThat(alone.status()).isEqualTo("ok");
  }

  @Test
  void dependencyThatWasNotCalledIsUnknown() {
    health.watch(new InMemoryOrigin());
    health.watch(new InMemoryGlobalCounters());
    assertThat(health.dependencies().values())
        .extracting(State::status)
        .containsOnly(Status.UNKNOWN);
  }

  @Test
  void durationStartsWithTheFirstFailureInARow() {
    happen("originFailed");
    time.advance(Duration.ofSeconds(2));
    happen("originFailed");
    assertThat(origin()).isEqualTo(new State(Status.DEGRADED, "timeout", 2_000));

    happen("originWorked");
    assertThat(origin()).isEqualTo(new State(Status.OK, null, 0));
    happen("originFailed");
    assertThat(origin()).isEqualTo(new State(Status.DEGRADED, "timeout", 0));
  }

  @Test
  void anotherReasonDoesNotRestartTheDuration() {
    happen("originFailed");
    time.advance(Duration.ofSeconds(2));
    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.OTHER);
    assertThat(origin()).isEqualTo(new State(Status.DEGRADED, "call failed", 2_000));
  }

  @Test
  void olderFailureIsShown() {
    happen("replayFailed");
    time.advance(Duration.ofSeconds(2));
    happen("originFailed");

    assertThat(origin()).isEqualTo(new State(Status.DEGRADED, "call failed", 2_000));
  }

  @Test
  void openCircuitKeepsTheReasonThatOpenedIt() {
    happen("originFailed");
    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.CIRCUIT_OPEN);
    assertThat(origin().reason()).isEqualTo("timeout");

    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.OTHER);
    assertThat(origin().reason()).isEqualTo("call failed");
  }

  @Test
  void openCircuitIsTheReasonWithoutAnother() {
    limiter.originFailed(OriginOperation.READ_COLD, CallFailure.CIRCUIT_OPEN);

    assertThat(origin().reason()).isEqualTo("circuit open");
  }

  @Test
  void clockSetBackGivesNoNegativeDuration() {
    InstantSource[] clock = {InstantSource.fixed(Instant.ofEpochSecond(100))};
    Health stepping = new Health(() -> clock[0].instant());
    stepping.catalogFailed(new SQLException());
    clock[0] = InstantSource.fixed(Instant.ofEpochSecond(40));

    assertThat(stepping.dependencies().get("catalog").degradedMillis()).isZero();
  }

  @Test
  void reasonIsThatOfTheFailedCall() {
    InMemoryOrigin origin = new InMemoryOrigin();
    InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    origin.fail(
        new IllegalStateException("finishConnect(..) failed: Connection refused: /10.0.0.1:6379"));
    counters.fail(new IllegalStateException("Access denied for user 'tidegate'@'%'"));
    try (RateLimiter watched = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(limiter)
        .region("eu")
        .origin(health.watch(origin))
        .globalCounters(health.watch(counters))
        .build()) {
      watched.tryAcquire(LimitRequest.of("acme", "login", "user_1", Limit.perMinute(3)));
      time.advance(Duration.ofSeconds(3));

      assertThat(origin().reason()).isEqualTo("connection refused");
      assertThat(health.dependencies().get("global_counters").reason())
          .isEqualTo("authentication failed");
    }
  }

  @Test
  void reasonsOfStoresAndOfPullsOfTheOwnRegionAreRecorded() {
    InMemoryOrigin origin = new InMemoryOrigin();
    InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    RegionalOrigin watchedOrigin = health.watch(origin);
    GlobalCounters watchedCounters = health.watch(counters);
    origin.fail(new IllegalStateException("Connection refused: /10.0.0.1:6379"));
    counters.fail(new IllegalStateException("Access denied for user 'tidegate'@'%'"));

    assertThat(watchedOrigin.store("eu", List.of())).isCompletedExceptionally();
    limiter.originFailed(OriginOperation.STORE, CallFailure.OTHER);
    assertThat(origin().reason()).isEqualTo("connection refused");

    assertThat(watchedCounters.pullOwn("eu", 0, component -> {})).isCompletedExceptionally();
    limiter.pullFailed(CallFailure.OTHER);
    assertThat(health.dependencies().get("global_counters").reason())
        .isEqualTo("authentication failed");
  }

  @Test
  void watchedCountersPullForTheRegionOfTheCaller() {
    InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    GlobalCounters watched = health.watch(counters);
    WindowCell cell = WindowCell.at(new Series(new Scope("acme", "login", 60_000), "user"), 0);
    Component eu = new Component("eu", cell, 6);
    Component us = new Component("us", cell, 4);
    assertThat(watched.push(List.of(eu, us))).isCompletedWithValue(List.of());

    List<Component> others = new ArrayList<>();
    List<Component> own = new ArrayList<>();
    assertThat(watched.pull("eu", GlobalCounters.EVERYTHING, 0, others::add)).isCompleted();
    assertThat(watched.pullOwn("eu", 0, own::add)).isCompleted();
    assertThat(others).containsExactly(us);
    assertThat(own).containsExactly(eu);
  }

  @ParameterizedTest
  @ValueSource(classes = {WatchedOrigin.class, WatchedGlobalCounters.class})
  void watchedAdapterDelegatesEveryCall(Class<?> watched) {
    for (Class<?> contract : watched.getInterfaces()) {
      for (Method method : contract.getMethods()) {
        if (!Modifier.isStatic(method.getModifiers())) {
          assertThatCode(
                  () -> watched.getDeclaredMethod(method.getName(), method.getParameterTypes()))
              .as("a default method of the contract would hide that of the adapter: %s", method)
              .doesNotThrowAnyException();
        }
      }
    }
  }

  @Test
  void regionNameConflictIsShownWhileItIsReported() {
    assertThat(value("tidegate_region_name_conflict")).isZero();

    happen("regionNameConflict");
    time.advance(Duration.ofSeconds(60));
    assertThat(value("tidegate_region_name_conflict")).isEqualTo(1);
    happen("regionNameConflict");
    time.advance(Duration.ofSeconds(89));
    assertThat(value("tidegate_region_name_conflict")).isEqualTo(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(value("tidegate_region_name_conflict")).isZero();
  }

  @Test
  void catalogIsShown() {
    assertThat(value("tidegate_catalog_seconds_since_read")).isNaN();

    health.catalogRead(42);
    time.advance(Duration.ofSeconds(3));
    health.catalogFailed(new SQLException("timed out"));
    health.catalogFailed(new SQLException("timed out"));
    assertThat(value("tidegate_catalog_version")).isEqualTo(42);
    assertThat(value("tidegate_catalog_seconds_since_read")).isEqualTo(3);
    assertThat(value("tidegate_catalog_refresh_errors_total")).isEqualTo(2);
    assertThat(value("tidegate_dependency_degraded{dependency=\"catalog\"}")).isEqualTo(1);
    assertThat(value("tidegate_dependency_degraded{dependency=\"origin\"}")).isZero();

    health.catalogRead(43);
    assertThat(value("tidegate_catalog_version")).isEqualTo(43);
    assertThat(value("tidegate_catalog_seconds_since_read")).isZero();
  }

  private void happen(String event) {
    switch (event) {
      case "" -> {}
      case "catalogRead" -> health.catalogRead(1);
      case "catalogFailed" -> health.catalogFailed(new SQLException("timed out"));
      case "originWorked" -> limiter.originAnswered(OriginOperation.READ_STALE, 1);
      case "originFailed" -> limiter.originFailed(OriginOperation.READ_COLD, CallFailure.TIMEOUT);
      case "replayFailed" -> limiter.originFailed(OriginOperation.REPLAY, CallFailure.OTHER);
      case "storeWorked" -> limiter.originAnswered(OriginOperation.STORE, 1);
      case "storeFailed" -> limiter.originFailed(OriginOperation.STORE, CallFailure.OTHER);
      case "pushWorked" -> limiter.pushed(1, 1);
      case "pushFailed" -> limiter.pushFailed(CallFailure.OTHER);
      case "pullWorked" -> limiter.pulled(1, 1, 1, 1);
      case "pullFailed" -> limiter.pullFailed(CallFailure.OTHER);
      case "stopping" -> health.stopping();
      case "regionNameConflict" -> metrics.limiter().regionNameConflict("eu");
      default -> throw new IllegalArgumentException(event);
    }
  }

  private State origin() {
    return health.dependencies().get("origin");
  }

  private double value(String sample) {
    return Scrape.of(metrics).value(sample);
  }
}
