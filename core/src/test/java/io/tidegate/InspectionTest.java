package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.CellCounts;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.SeriesMemory;
import io.tidegate.model.SeriesMemory.Unsure;
import io.tidegate.model.StoreInspection;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Writer;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What an inspection shows of a series; {@link InspectionPropertyTest} shows what it leaves alone.
 */
class InspectionTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:15Z");
  private static final Scope SCOPE = Scope.of("acme", "login", Duration.ofMinutes(1));

  private final VirtualTime time = VirtualTime.startingAt(START);
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final InMemoryOrigin american = new InMemoryOrigin();
  private final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();

  /** Keeps the limiters reachable: an unreachable one is collected, and its periodic work ends. */
  private final List<RateLimiter> limiters = new ArrayList<>();

  private RateLimiter hold(RateLimiterBuilder builder) {
    RateLimiter limiter = builder.clock(time).scheduler(time).build();
    limiters.add(limiter);
    return limiter;
  }

  private RateLimiter alone() {
    return hold(RateLimiter.builder());
  }

  private RateLimiter node(String name) {
    return hold(RateLimiter.builder().region("eu").node(name).origin(origin));
  }

  /** A node of a region that pushes every count. */
  private RateLimiter node(String region, String name, InMemoryOrigin regional) {
    return hold(RateLimiter.builder()
        .region(region)
        .node(name)
        .origin(regional)
        .globalCounters(counters)
        .pushPolicy(PushPolicy.floor(0, Duration.ofMillis(100))));
  }

  private static Decision take(RateLimiter limiter, long limit, long cost) {
    return limiter.tryAcquire(new LimitRequest(SCOPE, "user", limit, cost));
  }

  private static SeriesInspection inspect(RateLimiter limiter) {
    CompletableFuture<SeriesInspection> found =
        limiter.inspect(SCOPE, "user").toCompletableFuture();
    assertThat(found).isCompleted();
    return found.join();
  }

  private static SeriesMemory memory(RateLimiter limiter) {
    return inspect(limiter).memory().orElseThrow();
  }

  private WindowCell cell() {
    return WindowCell.at(new Series(SCOPE, "user"), time.millis());
  }

  private void tick() {
    time.advance(Duration.ofMillis(10));
  }

  /** Replays a count of another node of the region. */
  private void peerCounts(WindowCell cell, long count) {
    origin.replay(List.of(new OwnCount(new Writer("eu", "peer.1"), cell, count)));
  }

  // One process.

  @Test
  void unknownSeriesIsNotInMemory() {
    RateLimiter limiter = alone();
    SeriesInspection found = inspect(limiter);
    assertThat(found)
        .isEqualTo(new SeriesInspection(
            "default",
            found.node(),
            START.toEpochMilli(),
            cell(),
            found.memory(),
            found.origin(),
            found.globalCounters()));
    assertThat(found.memory()).isEmpty();
    assertThat(found.origin()).isEmpty();
    assertThat(found.globalCounters()).isEmpty();
    assertThat(found.effectiveCount()).isZero();
    assertThat(found.decide(10, 3).remaining()).isEqualTo(7);
    assertThat(limiter.stats().series()).isZero();
  }

  @Test
  void processByItselfHasOwnCountsOnly() {
    RateLimiter limiter = alone();
    take(limiter, 10, 4);
    SeriesInspection found = inspect(limiter);
    SeriesMemory memory = found.memory().orElseThrow();
    assertThat(memory.current()).isEqualTo(new CellCounts(4, 0, 0));
    assertThat(memory.previous()).isEqualTo(CellCounts.NONE);
    assertThat(memory.strictUntilMillis()).isEmpty();
    assertThat(memory.answerAge()).isEmpty();
    assertThat(memory.unsure()).isEmpty();
    assertThat(found.effectiveCountInMemory()).isEqualTo(4);
    assertThat(found.currentCell()).isEqualTo(cell());
    assertThat(found.previousCell()).isEqualTo(cell().previous());
    assertThat(found.overlapMillis()).isEqualTo(45_000);
  }

  @Test
  void decisionIsTheOneThatTheNextRequestGets() {
    RateLimiter limiter = alone();
    take(limiter, 10, 8);
    time.advance(Duration.ofSeconds(60));
    take(limiter, 10, 2);
    for (int cost : List.of(0, 2, 3, 11)) {
      SeriesInspection found = inspect(limiter);
      assertThat(found.decide(10, cost)).isEqualTo(found.decideFromMemory(10, cost));
      assertThat(found.decide(10, cost)).isEqualTo(take(limiter, 10, cost));
    }
  }

  @Test
  void decisionRejectsTokensOutOfRange() {
    SeriesInspection found = inspect(alone());
    assertThatThrownBy(() -> found.decide(-1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> found.decideFromMemory(1, -3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-3");
  }

  @Test
  void badNamesAreRejected() {
    RateLimiter limiter = alone();
    assertThatThrownBy(() -> limiter.inspect(SCOPE, ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limiter.inspect(SCOPE, "x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void denialShowsTheEndOfStrictMode() {
    RateLimiter limiter = alone();
    take(limiter, 10, 10);
    take(limiter, 10, 1);
    assertThat(memory(limiter).strictUntilMillis()).hasValue(time.millis() + 60_000);
    time.advance(Duration.ofMinutes(1));
    assertThat(memory(limiter).strictUntilMillis()).isEmpty();
  }

  @Test
  void unusedSeriesIsRotatedInTheCopyOnly() {
    RateLimiter limiter = alone();
    take(limiter, 10, 8);
    time.advance(Duration.ofSeconds(60));
    SeriesInspection next = inspect(limiter);
    assertThat(next.memory().orElseThrow().current()).isEqualTo(CellCounts.NONE);
    assertThat(next.memory().orElseThrow().previous()).isEqualTo(new CellCounts(8, 0, 0));
    assertThat(next.effectiveCountInMemory()).isEqualTo(6); // three quarters
    time.advance(Duration.ofSeconds(60));
    SeriesInspection later = inspect(limiter);
    assertThat(later.memory().orElseThrow().previous()).isEqualTo(CellCounts.NONE);
    assertThat(later.effectiveCountInMemory()).isZero();
    time.advance(Duration.ofMinutes(10)); // an inspection does not keep it alive
    assertThat(inspect(limiter).memory()).isEmpty();
  }

  @Test
  void cellAheadOfAClockThatWasSetBackIsTheCurrentOne() {
    RateLimiter limiter = alone();
    take(limiter, 10, 8);
    WindowCell ahead = cell();
    time.advance(Duration.ofMinutes(-1));
    SeriesInspection found = inspect(limiter);
    assertThat(found.currentCell()).isEqualTo(ahead);
    assertThat(found.decide(10, 1)).isEqualTo(take(limiter, 10, 1));
  }

  // Several nodes.

  @Test
  void seriesIsColdFromTheEndOfItsCell() {
    RateLimiter node = node("one");
    take(node, 10, 1);
    assertThat(memory(node).unsure()).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(memory(node).unsure()).containsExactly(Unsure.COLD);
  }

  @Test
  void seriesThatTheOriginHasNeverAnsweredAboutIsColdWithoutAge() {
    RateLimiter node = node("one");
    origin.fail(new IllegalStateException("down"));
    take(node, 10, 1);
    assertThat(memory(node).unsure()).containsExactly(Unsure.COLD);
    assertThat(memory(node).answerAge()).isEmpty();
  }

  @Test
  void answerAgesInElapsedTime() {
    RateLimiter node = node("one");
    take(node, 10, 1);
    time.advance(Duration.ofSeconds(1)); // the last replay is answered after 10 ms
    assertThat(memory(node).answerAge()).contains(Duration.ofMillis(990));
    time.advance(Duration.ofSeconds(5));
    assertThat(memory(node).answerAge()).contains(Duration.ofMillis(5_990));
    assertThat(memory(node).unsure()).containsExactly(Unsure.STALE);
  }

  @Test
  void ageAfterARotationIsOfTheAnswerAboutThePreviousCell() {
    RateLimiter node = node("one");
    time.advance(Duration.ofSeconds(44));
    take(node, 10, 1);
    time.advance(Duration.ofSeconds(2)); // into the next cell
    assertThat(memory(node).unsure()).containsExactly(Unsure.COLD);
    assertThat(memory(node).answerAge()).contains(Duration.ofMillis(1_990));
    time.advance(Duration.ofMinutes(1));
    assertThat(memory(node).answerAge()).isEmpty();
  }

  @Test
  void deniedSeriesIsStrict() {
    RateLimiter node = node("one");
    take(node, 10, 10);
    take(node, 10, 1);
    assertThat(memory(node).unsure()).containsExactly(Unsure.STRICT);
    assertThat(memory(node).strictUntilMillis()).hasValue(time.millis() + 60_000);
  }

  @Test
  void spentShareIsShown() {
    RateLimiter node = node("one");
    node("two");
    time.advance(Duration.ofSeconds(1)); // both have registered, and know each other
    take(node, 100, 1);
    tick();
    origin.hold();
    for (int i = 0; i < 23; i++) { // 99 / 4 are 24
      take(node, 100, 1);
    }
    var before = node.inspect(SCOPE, "user").toCompletableFuture();
    take(node, 100, 1);
    var after = node.inspect(SCOPE, "user").toCompletableFuture();
    origin.release();
    assertThat(before.join().memory().orElseThrow().unsure()).isEmpty();
    assertThat(after.join().memory().orElseThrow().unsure()).containsExactly(Unsure.SHARE_SPENT);
  }

  @Test
  void countsOfPeersAreShownApart() {
    RateLimiter one = node("one");
    peerCounts(cell(), 7);
    peerCounts(cell().previous(), 5);
    take(one, 100, 3);
    assertThat(memory(one).current()).isEqualTo(new CellCounts(3, 7, 0));
    assertThat(memory(one).previous()).isEqualTo(new CellCounts(0, 5, 0));
    time.advance(Duration.ofMinutes(1));
    assertThat(memory(one).previous()).isEqualTo(new CellCounts(3, 7, 0));
  }

  @Test
  void anyNodeShowsWhatAnotherHasAdmitted() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    take(one, 10, 6);
    tick();
    SeriesInspection found = inspect(two);
    assertThat(found.memory()).isEmpty();
    assertThat(found.node()).isEqualTo("two");
    assertThat(found.origin().orElseThrow())
        .isEqualTo(StoreInspection.answered(
            new OriginCounts(Map.of("one", 6L), Map.of(), 0),
            new OriginCounts(Map.of(), Map.of(), 0)));
    assertThat(found.effectiveCountInMemory()).isZero();
    assertThat(found.effectiveCount()).isEqualTo(6);
    Decision decision = found.decide(10, 1);
    assertThat(decision.remaining()).isEqualTo(3);
    assertThat(decision.source()).isEqualTo(Source.ORIGIN);
    assertThat(found.decide(10, 5)).isEqualTo(take(two, 10, 5));
    assertThat(found.decide(10, 4)).isEqualTo(take(two, 10, 4));
  }

  @Test
  void staleNodeShowsTheCountsOfTheOrigin() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    take(two, 100, 1);
    time.advance(Duration.ofSeconds(1));
    take(one, 100, 50);
    tick();
    SeriesInspection found = inspect(two);
    assertThat(found.memory().orElseThrow().current()).isEqualTo(new CellCounts(1, 0, 0));
    assertThat(found.currentCount()).isEqualTo(51);
  }

  @Test
  void ownCountThatTheOriginDoesNotHaveYetCounts() {
    RateLimiter one = node("one");
    take(one, 100, 1);
    tick();
    take(one, 100, 20);
    SeriesInspection found = inspect(one);
    assertThat(found.origin().orElseThrow().current().orElseThrow().nodes())
        .containsExactly(Map.entry("one", 1L));
    assertThat(found.currentCount()).isEqualTo(21);
  }

  @Test
  void incarnationsOfANodeAreAddedUp() {
    RateLimiter node =
        hold(RateLimiter.builder().region("eu").node("web.1").origin(origin).maxSeries(1));
    take(node, 100, 3);
    tick();
    node.tryAcquire(new LimitRequest(SCOPE, "other", 100, 1)); // evicts the user
    take(node, 100, 4);
    tick();
    assertThat(inspect(node).origin().orElseThrow().current().orElseThrow().nodes())
        .containsExactly(Map.entry("web.1", 7L));
  }

  // Several regions.

  @Test
  void otherRegionsAreShownByOriginAndGlobalCounters() {
    RateLimiter eu = node("eu", "frankfurt", origin);
    RateLimiter us = node("us", "ashburn", american);
    take(eu, 100, 6);
    take(us, 100, 30);
    time.advance(Duration.ofSeconds(3));
    SeriesInspection found = inspect(eu);
    OriginCounts stored = found.origin().orElseThrow().current().orElseThrow();
    assertThat(stored).isEqualTo(new OriginCounts(Map.of("frankfurt", 6L), Map.of("us", 30L), 6));
    assertThat(found.globalCounters().orElseThrow())
        .isEqualTo(StoreInspection.answered(Map.of("eu", 6L, "us", 30L), Map.of()));
    assertThat(found.currentCount()).isEqualTo(36);
    take(eu, 100, 1);
    time.advance(Duration.ofSeconds(6));
    take(eu, 100, 1); // reads the origin
    assertThat(memory(eu).current()).isEqualTo(new CellCounts(8, 0, 30));
  }

  @Test
  void regionWithoutTheSeriesShowsTheGlobalCounters() {
    RateLimiter eu = node("eu", "frankfurt", origin);
    american.fail(new IllegalStateException("down"));
    RateLimiter us = node("us", "ashburn", american);
    take(eu, 10, 6);
    time.advance(Duration.ofSeconds(3));
    SeriesInspection found = inspect(us);
    assertThat(found.origin().orElseThrow().failure()).isPresent();
    assertThat(found.effectiveCount()).isEqualTo(6);
    Decision decision = found.decide(10, 4);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.source()).isEqualTo(Source.LOCAL);
    assertThat(decision.degraded()).isTrue();
  }

  /** A count that several sources know must not be added up. */
  @Test
  void largestKnownCountIsTheGreatestOfEachPart() {
    WindowCell cell = cell();
    SeriesInspection found = new SeriesInspection(
        "eu",
        "one",
        time.millis(),
        cell,
        Optional.of(new SeriesMemory(
            new CellCounts(10, 20, 5),
            new CellCounts(1, 1, 50),
            OptionalLong.empty(),
            Optional.empty(),
            Set.of())),
        Optional.of(StoreInspection.answered(
            new OriginCounts(Map.of("one", 8L, "two", 25L), Map.of("us", 7L, "ap", 2L), 31),
            new OriginCounts(Map.of("one", 1L), Map.of("us", 7L), 6))),
        Optional.of(StoreInspection.answered(
            Map.of("eu", 32L, "us", 6L, "ap", 3L, "sa", 1L), Map.of("eu", 5L))));
    assertThat(found.currentCount()).isEqualTo(33 + 7 + 3 + 1);
    assertThat(found.previousCount()).isEqualTo(6 + 50);
    assertThat(found.effectiveCount()).isEqualTo(44 + 42); // three quarters of 56
    assertThat(found.effectiveCountInMemory()).isEqualTo(35 + 39);
  }

  // Failing stores.

  @Test
  void failingStoresAreNamed() {
    RateLimiter node = node("eu", "one", origin);
    take(node, 10, 4);
    origin.fail(new IllegalStateException("origin is down"));
    counters.fail(new IllegalArgumentException("x".repeat(1_000)));
    SeriesInspection found = inspect(node);
    assertThat(found.memory()).isPresent();
    assertThat(found.origin().orElseThrow())
        .isEqualTo(StoreInspection.failed("java.lang.IllegalStateException: origin is down"));
    assertThat(found.globalCounters().orElseThrow().failure().orElseThrow())
        .startsWith("java.lang.IllegalArgumentException: xxx")
        .hasSizeLessThan(250);
    assertThat(found.decide(10, 1).remaining()).isEqualTo(5);
    assertThat(found.decide(10, 1).degraded()).isTrue();
  }

  @Test
  void storesThatNeverAnswerTimeOutAfterASecond() {
    RateLimiter node = node("eu", "one", origin);
    origin.hold();
    counters.hold();
    var found = node.inspect(SCOPE, "user").toCompletableFuture();
    time.advance(Duration.ofMillis(990));
    assertThat(found).isNotDone();
    time.advance(Duration.ofMillis(50));
    assertThat(found.join().origin()).contains(StoreInspection.failed("timeout"));
    assertThat(found.join().globalCounters()).contains(StoreInspection.failed("timeout"));
  }

  @Test
  void oneFailingStoreLeavesTheOther() {
    RateLimiter node = node("eu", "one", origin);
    counters.fail(new IllegalStateException("down"));
    peerCounts(cell(), 4);
    assertThat(inspect(node).origin().orElseThrow().failure()).isEmpty();
    assertThat(inspect(node).currentCount()).isEqualTo(4);
  }

  @Test
  void failingInspectionsDoNotStopReadsAndPulls() {
    RateLimiter node = hold(RateLimiter.builder()
        .region("eu")
        .origin(new WithoutInspection(origin))
        .globalCounters(new WithoutComponents(counters)));
    for (int i = 0; i < 100; i++) {
      inspect(node);
    }
    assertThat(inspect(node).origin()).contains(StoreInspection.failed("circuit open"));
    assertThat(inspect(node).globalCounters()).contains(StoreInspection.failed("circuit open"));
    assertThat(take(node, 10, 1).source()).isEqualTo(Source.ORIGIN);
    time.advance(Duration.ofSeconds(3));
    assertThat(node.stats().millisSincePull()).isBetween(0L, 1_000L);
    assertThat(inspect(node).origin().orElseThrow().failure().orElseThrow())
        .contains("WithoutInspection cannot inspect cells");
    assertThat(inspect(node).globalCounters().orElseThrow().failure().orElseThrow())
        .contains("WithoutComponents cannot read single cells");
  }

  @Test
  void fewInspectionsInAnOutageAreAllMade() {
    RateLimiter node = node("one");
    origin.fail(new IllegalStateException("down"));
    for (int i = 0; i < 10; i++) {
      assertThat(inspect(node).origin())
          .contains(StoreInspection.failed("java.lang.IllegalStateException: down"));
    }
    origin.fail(null);
    assertThat(inspect(node).origin().orElseThrow().failure()).isEmpty();
  }

  @Test
  void closedLimiterIsInspectedFromMemory() {
    RateLimiter node = node("eu", "one", origin);
    take(node, 10, 4);
    tick();
    node.close();
    origin.hold();
    counters.hold();
    SeriesInspection found = inspect(node);
    assertThat(found.memory().orElseThrow().current().own()).isEqualTo(4);
    assertThat(found.origin().orElseThrow().failure().orElseThrow()).contains("closed");
    assertThat(found.globalCounters().orElseThrow().failure().orElseThrow()).contains("closed");
  }

  /** An origin of an adapter that was written before inspections. */
  private record WithoutInspection(RegionalOrigin origin) implements RegionalOrigin {

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      return origin.read(counts);
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return origin.replay(counts);
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      return origin.store(region, components);
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return origin.register(registration);
    }

    @Override
    public void close() {}
  }

  /** Global counters of such an adapter. */
  private record WithoutComponents(GlobalCounters counters) implements GlobalCounters {

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return counters.push(components);
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      return counters.pull(region, since, nowMillis, each);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return counters.pullOwn(region, nowMillis, each);
    }

    @Override
    public void close() {}
  }
}
