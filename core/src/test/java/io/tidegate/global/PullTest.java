package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PullTest {

  private final World world = new World();

  @Test
  void countsOfSeveralRegionsAdd() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 12);
    world.remoteCounts("asia", world.cell("user"), 11);
    world.exchange();
    assertThat(world.effective(us, "user")).isEqualTo(23);
    assertThat(world.take(us, "user", 20, 1).allowed()).isFalse();
  }

  @Test
  void nodeThatStartsPullsAtOnce() {
    world.remoteCounts("eu", world.cell("user"), 12);
    RateLimiter us = world.node("us");
    world.time.advance(GlobalLayer.TICK);
    assertThat(world.effective(us, "user")).isEqualTo(12);
  }

  @Test
  void ownRegionsRowsRaisePeersCountsAndAreNotImported() {
    world.policy = PushPolicy.floor(0, Duration.ofSeconds(1));
    InMemoryOrigin lost = new InMemoryOrigin();
    RateLimiter one = world.node("eu", new InMemoryOrigin());
    world.take(one, "user", 10, 6);
    world.exchange();
    assertThat(world.effective(one, "user")).isEqualTo(6);
    RateLimiter two = world.node("eu", lost);
    world.time.advance(GlobalLayer.TICK);
    // The reader has stored them in its origin, which it reads before it decides.
    assertThat(lost.reads()).isEmpty();
    assertThat(world.take(two, "user", 10, 4).source()).isEqualTo(Decision.Source.ORIGIN);
    assertThat(world.take(two, "user", 10, 1).allowed()).isFalse();
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(10); // the regional count, by both
  }

  @Test
  void restartedNodeWithoutOriginFindsItsCounts() {
    world.policy = PushPolicy.floor(0, Duration.ofSeconds(1));
    RateLimiter former = world.node("eu");
    world.take(former, "user", 10, 6);
    former.close();
    RateLimiter node = world.node("eu");
    world.time.advance(GlobalLayer.TICK);
    assertThat(world.take(node, "user", 10, 5).allowed()).isFalse();
    assertThat(world.take(node, "user", 10, 4).allowed()).isTrue();
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(10);
  }

  @Test
  void seriesOfAPullIsCreatedAndCountedSeparately() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 6);
    world.remoteCounts("asia", world.cell("user"), 6);
    world.exchange();
    assertThat(us.stats().series()).isEqualTo(1);
    assertThat(world.events).contains("us pulled 2 applied 2 created 1");
    world.take(us, "user", 100, 1);
    world.take(us, "other", 100, 1);
    assertThat(us.stats().importedSeries()).isEqualTo(1);
    assertThat(us.stats().createdSeries()).isEqualTo(1);
  }

  @Test
  void seriesCreatedByPullsStayWithinTheBound() {
    RateLimiter us = world.builder("us").maxSeries(10).build();
    for (int i = 0; i < 100; i++) {
      world.remoteCounts("eu", world.cell("user_" + i), 6);
    }
    world.exchange();
    assertThat(us.stats().series()).isEqualTo(10);
  }

  /** A flood of identifiers in one region must not evict the series of all others. */
  @Test
  void seriesOfOtherRegionsEvictNoneThatIsUsedHere() {
    RateLimiter us = world.builder("us").maxSeries(10).build();
    for (int i = 0; i < 10; i++) {
      world.take(us, "user_" + i, 10, 9);
    }
    for (int i = 0; i < 1_000; i++) {
      world.remoteCounts("eu", world.cell("spray_" + i), 10);
    }
    world.time.advance(Duration.ofSeconds(20));
    assertThat(us.stats().evictedSeries()).isZero();
    for (int i = 0; i < 10; i++) {
      assertThat(world.take(us, "user_" + i, 10, 2).allowed()).isFalse();
    }
  }

  /** Its own count is in the origin, that of others in the global counters only. */
  @Test
  void evictedSeriesSoonImportsOtherRegionsCountsAgain() {
    RateLimiter us = world.builder("us").maxSeries(10).build();
    world.remoteCounts("eu", world.cell("user"), 6);
    world.exchange();
    for (int i = 0; i < 500; i++) {
      world.take(us, "spray_" + i, 100, 90); // which counts more
    }
    world.take(us, "user", 100, 90);
    assertThat(world.effective(us, "user")).isEqualTo(90);
    world.time.advance(Duration.ofSeconds(14)); // ten, and the jitter of ticks
    assertThat(world.effective(us, "user")).isEqualTo(96);
  }

  @Test
  void pullsChangesAndOnceAMinuteEverything() {
    world.node("us");
    for (int i = 0; i < 5; i++) {
      world.remoteCounts("eu", world.cell("user_" + i), 6);
    }
    world.exchange();
    assertThat(world.events).contains("us pulled 5 applied 5 created 5");
    world.events.clear();
    world.time.advance(Duration.ofSeconds(35));
    assertThat(world.events).containsOnly("us pulled 0 applied 0 created 0");
    world.remoteCounts("eu", world.cell("user_3"), 7);
    world.exchange();
    assertThat(world.events).contains("us pulled 1 applied 1 created 0");
    world.time.advance(Duration.ofSeconds(35));
    assertThat(world.events).contains("us pulled 5 applied 0 created 0");
  }

  @Test
  void fullPullIsRetriedUntilItSucceeds() {
    world.node("us");
    for (int i = 0; i < 5; i++) {
      world.remoteCounts("eu", world.cell("user_" + i), 6);
    }
    world.time.advance(Duration.ofSeconds(40)); // 00:50
    world.events.clear();
    world.counters.fail(new IllegalStateException("down"));
    world.time.advance(Duration.ofSeconds(35)); // 01:25, and the minute is over
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(8));
    assertThat(world.events)
        .filteredOn(event -> event.contains("pulled") && !event.contains("pulled 0"))
        .first()
        .isEqualTo("us pulled 5 applied 0 created 0");
  }

  @Test
  void interruptedPullLosesNothing() {
    RateLimiter us = world.node("us");
    world.exchange();
    for (int i = 0; i < 5; i++) {
      world.remoteCounts("eu", world.cell("user_" + i), 6);
    }
    world.counters.failPullsAfter(3, new IllegalStateException("lost in between"));
    world.exchange();
    assertThat(us.stats().series()).isEqualTo(3);
    assertThat(world.events).contains("us pull failed OTHER");
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(8)); // a pause of the breaker, and a tick
    for (int i = 0; i < 5; i++) {
      assertThat(world.effective(us, "user_" + i)).isEqualTo(6);
    }
  }

  @Test
  void answerWithoutAMarkIsAFailureAndTheNextMayBeGood() {
    AtomicInteger pulls = new AtomicInteger();
    GlobalCounters forgetful = new GlobalCounters() {
      @Override
      public CompletionStage<List<Component>> push(List<Component> components) {
        return CompletableFuture.completedFuture(List.of());
      }

      @Override
      public CompletionStage<Long> pull(
          String region, long since, long nowMillis, Consumer<Component> each) {
        return CompletableFuture.completedFuture(pulls.incrementAndGet() < 3 ? null : 7L);
      }

      @Override
      public CompletionStage<Void> pullOwn(
          String region, long nowMillis, Consumer<Component> each) {
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public void close() {}
    };
    RateLimiter us = world.builder("us").globalCounters(forgetful).build();
    world.time.advance(Duration.ofSeconds(5));
    assertThat(world.events)
        .filteredOn(event -> event.equals("us pull failed OTHER"))
        .hasSize(2);
    assertThat(us.stats().millisSincePull()).isBetween(0L, 1_500L);
  }

  @Test
  void importedCountsKeepTheirLastValueWhilePullsFail() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 6);
    world.exchange();
    world.counters.fail(new IllegalStateException("down"));
    world.time.advance(Duration.ofSeconds(20));
    assertThat(world.effective(us, "user")).isEqualTo(6);
    assertThat(us.stats().millisSincePull()).isGreaterThan(15_000);
    assertThat(world.take(us, "user", 10, 5).allowed()).isFalse();
  }

  @Test
  void importedCountWeighsOnTheNextWindow() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 60);
    world.exchange();
    world.time.advance(Duration.ofMillis(67_100)); // 01:20
    assertThat(world.effective(us, "user")).isEqualTo(40);
    world.remoteCounts("eu", world.cell("user").previous(), 90); // its last counts
    world.exchange();
    world.time.advance(Duration.ofMillis(7_100)); // 01:30
    assertThat(world.effective(us, "user")).isEqualTo(45);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(world.effective(us, "user")).isZero();
  }

  @Test
  void countsOfARegionWhoseClockIsAheadAreMergedWhenTheirWindowBegins() {
    RateLimiter us = world.node("us");
    WindowCell next =
        new WindowCell(world.cell("user").series(), world.cell("user").sequence() + 1);
    world.remoteCounts("eu", next, 6);
    world.exchange();
    assertThat(world.effective(us, "user")).isZero();
    world.time.advance(Duration.ofSeconds(49)); // 01:01.9
    assertThat(world.cell("user")).isEqualTo(next);
    assertThat(world.effective(us, "user")).isEqualTo(6);
  }

  /** Decisions stay in their cell, so its counts matter. */
  @Test
  void nodeWhoseClockIsSetBackStillImportsCountsOfItsCell() {
    long[] offsetMillis = new long[1];
    RateLimiter us = world.hold(world
        .builder("us")
        .clock(() -> world.time.instant().plusMillis(offsetMillis[0]))
        .build());
    Duration day = Duration.ofDays(1);
    LimitRequest request = LimitRequest.of("acme", "login", "user", Limit.of(100, day));
    assertThat(us.tryAcquire(request).effectiveCount()).isEqualTo(1);
    offsetMillis[0] = -Duration.ofHours(1).toMillis(); // to the day before
    world.remoteCounts("eu", world.cell("user", day), 40);
    world.exchange();
    assertThat(us.tryAcquire(request).effectiveCount()).isEqualTo(42);
  }

  @Test
  void cellThatIsOverIsNotImported() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user").previous().previous(), 6);
    world.exchange();
    assertThat(us.stats().series()).isZero();
  }

  @Test
  void seriesWithoutRequestsImportsTheNextWindowsCounts() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 6);
    world.exchange();
    world.time.advance(Duration.ofMinutes(1));
    world.remoteCounts("eu", world.cell("user"), 7);
    world.exchange();
    // 01:15.8, of which the previous window's 6 weigh 4
    assertThat(world.effective(us, "user")).isEqualTo(7 + 4);
  }

  @Test
  void importedCountsExpireWithTheirWindows() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user").previous(), 60);
    world.remoteCounts("eu", world.cell("user"), 60);
    world.exchange();
    world.time.advance(Duration.ofMinutes(3)); // 03:12.9, and the series is still in memory
    world.effective(us, "user");
    world.remoteCounts("eu", world.cell("user").previous(), 30);
    world.remoteCounts("eu", world.cell("user"), 20);
    world.time.advance(Duration.ofMillis(7_100)); // 03:20
    assertThat(world.effective(us, "user")).isEqualTo(20 + 30 * 40 / 60);
  }

  @Test
  void batchIsCheckedAgainstImportedCounts() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 6);
    world.exchange();
    LimitRequest five = new LimitRequest(world.scope, "user", 10, 5);
    LimitRequest four = new LimitRequest(world.scope, "user", 10, 4);
    assertThat(us.tryAcquireAll(List.of(five)).allowed()).isFalse();
    assertThat(us.tryAcquireAll(List.of(four)).allowed()).isTrue();
  }

  @Test
  void regionsBeyondTheBoundAreIgnored() {
    RateLimiter us = world.node("us");
    for (int i = 0; i < RegionNumbers.MAX_REGIONS + 50; i++) {
      world.remoteCounts("region_" + i, world.cell("user"), 1);
    }
    world.exchange();
    assertThat(world.effective(us, "user")).isEqualTo(RegionNumbers.MAX_REGIONS);
  }
}
