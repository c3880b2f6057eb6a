package io.tidegate.server.activity;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ActivityTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-17T12:00:00Z"));
  private final Activity activity = new Activity(now::get, "internal");
  private final RateLimiter limiter = RateLimiter.builder().observer(activity).build();

  @Test
  void showsTheBusiestAndTheMostDeniedIdentifiers() {
    take("login", "busy", 100, 30);
    take("login", "denied", 5, 20);
    take("login", "quiet", 100, 1);
    NamespaceSnapshot login = activity.namespaces(2).get(0);
    assertThat(login.busiest())
        .extracting(FrequentIdentifier::identifier, FrequentIdentifier::perMinute)
        .containsExactly(tuple("busy", 30L), tuple("denied", 20L));
    assertThat(login.mostDenied())
        .containsExactly(new FrequentIdentifier("denied", 15, 0, 5, 60_000));
  }

  @Test
  void identifiersLeaveGraduallyWithinTwoMinutes() {
    take("login", "user", 1_000, 60);
    pass(Duration.ofSeconds(90));
    assertThat(activity.namespaces(1).get(0).busiest())
        .containsExactly(new FrequentIdentifier("user", 30, 0, 1_000, 60_000));
    pass(Duration.ofSeconds(31));
    assertThat(activity.namespaces(1).get(0).busiest()).isEmpty();
  }

  @Test
  void ratesAreThoseOfTheLastInterval() {
    take("login", "user", 10, 30);
    activity.endInterval(Duration.ofSeconds(2));
    assertThat(activity.rates()).isEqualTo(new Activity.Rates(5, 10, 0));
    NamespaceSnapshot login = activity.namespaces(1).get(0);
    assertThat(login.allowedPerSecond()).isEqualTo(5);
    assertThat(login.deniedPerSecond()).isEqualTo(10);
    activity.endInterval(Duration.ofSeconds(1));
    assertThat(activity.rates()).isEqualTo(new Activity.Rates(0, 0, 0));
  }

  @Test
  void requestsOfADeniedBatchAreDenied() {
    LimitRequest room = LimitRequest.of("acme", "a", "user", Limit.perMinute(10));
    LimitRequest none = LimitRequest.of("acme", "b", "user", Limit.perMinute(0));
    limiter.tryAcquireAll(List.of(room, none));
    activity.endInterval(Duration.ofSeconds(1));
    assertThat(activity.rates()).isEqualTo(new Activity.Rates(0, 2, 0));
    assertThat(activity.denials()).extracting(Denial::namespace).containsExactly("b");
    assertThat(activity.namespaces(1))
        .filteredOn(namespace -> !namespace.mostDenied().isEmpty())
        .extracting(NamespaceSnapshot::namespace)
        .containsExactly("b");
  }

  @Test
  void excludedWorkspaceIsNotCounted() {
    limiter.tryAcquire(LimitRequest.of("internal", "throttle", "ws", Limit.perMinute(1)));
    activity.endInterval(Duration.ofSeconds(1));
    assertThat(activity.namespaces(1)).isEmpty();
    assertThat(activity.rates()).isEqualTo(new Activity.Rates(0, 0, 0));
  }

  @Test
  void keepsTheNewestDenials() {
    for (int i = 0; i < Activity.MAX_DENIALS + 7; i++) {
      take("login", "user" + i, 0, 1);
    }
    assertThat(activity.denials())
        .hasSize(Activity.MAX_DENIALS)
        .first()
        .extracting(Denial::identifier)
        .isEqualTo("user" + (Activity.MAX_DENIALS + 6));
  }

  @Test
  void namespacesAreBoundedAndIdleOnesMakeRoom() {
    for (int i = 0; i < Activity.MAX_NAMESPACES + 20; i++) {
      take("namespace" + i, "user", 1, 1);
    }
    assertThat(activity.namespaces(1)).hasSize(Activity.MAX_NAMESPACES);
    pass(Duration.ofMinutes(3));
    activity.endInterval(Duration.ofSeconds(1));
    assertThat(activity.namespaces(1)).isEmpty();
    take("new", "user", 1, 1);
    assertThat(activity.namespaces(1)).hasSize(1);
  }

  @Test
  void knowsTheLimitOfAnIdentifierOrOfAllOthers() {
    take("login", "user", 5, 1);
    assertThat(activity.limits("acme", "login", "any"))
        .containsExactly(entry(60_000L, OptionalLong.of(5)));
    take("login", "other", 7, 1);
    limiter.tryAcquire(LimitRequest.of("acme", "login", "third", Limit.perHour(100)));
    assertThat(activity.limits("acme", "login", "user"))
        .containsExactly(
            entry(60_000L, OptionalLong.of(5)), entry(3_600_000L, OptionalLong.of(100)));
    assertThat(activity.limits("acme", "login", "any"))
        .containsExactly(
            entry(60_000L, OptionalLong.empty()), entry(3_600_000L, OptionalLong.of(100)));
    assertThat(activity.limits("acme", "unknown", "user")).isEmpty();
  }

  /** Clients that look at a whole count use a limit that is out of reach. */
  @Test
  void lowestRecentLimitIsShown() {
    take("login", "user", 5, 1);
    take("login", "user", 1_000_000, 1);
    assertThat(activity.limits("acme", "login", "user"))
        .containsExactly(entry(60_000L, OptionalLong.of(5)));
    assertThat(activity.namespaces(1).get(0).busiest().get(0).limit()).isEqualTo(5);
    pass(Duration.ofSeconds(60));
    take("login", "user", 1_000_000, 1);
    assertThat(activity.limits("acme", "login", "user"))
        .containsExactly(entry(60_000L, OptionalLong.of(5)));
    pass(Duration.ofSeconds(60));
    take("login", "user", 1_000_000, 1);
    assertThat(activity.limits("acme", "login", "user"))
        .containsExactly(entry(60_000L, OptionalLong.of(1_000_000)));
  }

  @Test
  void keepsTheWindowsInUseLast() {
    for (int seconds = 1; seconds <= 15; seconds++) {
      limiter.tryAcquire(
          LimitRequest.of("acme", "login", "user", Limit.of(10, Duration.ofSeconds(seconds))));
    }
    assertThat(activity.limits("acme", "login", "user")).hasSize(10).containsKey(15_000L);
  }

  @Test
  void clockThatIsSetBackLosesNothing() {
    take("login", "user", 100, 10);
    pass(Duration.ofSeconds(-30));
    take("login", "user", 100, 5);
    assertThat(activity.namespaces(1).get(0).busiest().get(0).perMinute()).isEqualTo(15);
  }

  @Test
  void clockThatWasFarAheadDoesNotStopTheMinutes() {
    pass(Duration.ofHours(5));
    take("login", "user", 1_000, 10);
    pass(Duration.ofHours(-5));
    take("login", "user", 1_000, 3);
    assertThat(activity.namespaces(1).get(0).busiest().get(0).perMinute()).isEqualTo(3);
  }

  @Test
  void busyNamespaceTakesThePlaceOfOnesWithoutDecisions() {
    for (int i = 0; i < Activity.MAX_NAMESPACES; i++) {
      take("namespace" + i, "user", 1, 1);
    }
    activity.endInterval(Duration.ofSeconds(1));
    take("busy", "user", 100, 5);
    activity.endInterval(Duration.ofSeconds(1));
    take("busy", "user", 100, 5);
    assertThat(activity.namespaces(1)).extracting(NamespaceSnapshot::namespace).contains("busy");
  }

  private void take(String namespace, String identifier, long limit, int times) {
    LimitRequest request = LimitRequest.of("acme", namespace, identifier, Limit.perMinute(limit));
    for (int i = 0; i < times; i++) {
      limiter.tryAcquire(request);
    }
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
