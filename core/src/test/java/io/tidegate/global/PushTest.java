package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PushTest {

  private final World world = new World();

  @Test
  void regionsCountTogether() {
    RateLimiter eu = world.node("eu");
    RateLimiter us = world.node("us");
    world.take(eu, "user", 10, 6);
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(6);
    assertThat(world.take(us, "user", 10, 1).effectiveCount()).isEqualTo(7);
    assertThat(world.take(us, "user", 10, 4).allowed()).isFalse(); // 1 + 6 + 4
    assertThat(world.take(us, "user", 10, 3).allowed()).isTrue();
  }

  @Test
  void nodesOfARegionPushTheirRegionalCount() {
    world.policy = PushPolicy.floor(0.2, Duration.ofSeconds(1));
    InMemoryOrigin origin = new InMemoryOrigin();
    RateLimiter one = world.node("eu", origin);
    RateLimiter two = world.node("eu", origin);
    world.take(one, "user", 10, 1);
    world.exchange();
    assertThat(world.row("eu", "user")).isZero();
    world.take(two, "user", 10, 1);
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(2);
  }

  /**
   * Each node reaches the threshold, and finds in the origin that one has pushed. The names decide
   * when the rounds of nodes begin: two that begin within one tick push the same count.
   */
  @Test
  void nodesOfARegionSeldomPushTheSameCountTwice() {
    InMemoryOrigin origin = new InMemoryOrigin();
    List<RateLimiter> nodes = Stream.of("one", "two", "three", "four")
        .map(name -> world.hold(world.builder("eu").origin(origin).node(name).build()))
        .toList();
    for (int i = 0; i < 500; i++) {
      world.take(nodes.get(i % 4), "user", 1_000, 1);
      world.time.advance(Duration.ofMillis(80));
    }
    assertThat(world.counters.pushes())
        .hasSizeBetween(3, 6); // 50, 100, 200, 400, or a little more each time
  }

  @Test
  void slowPullDelaysNoPush() {
    InMemoryGlobalCounters slow = new InMemoryGlobalCounters();
    RateLimiter eu = world
        .builder("eu")
        .globalCounters(new GlobalCounters() {
          @Override
          public CompletionStage<List<Component>> push(List<Component> components) {
            return slow.push(components);
          }

          @Override
          public CompletionStage<Long> pull(
              String region, long since, long nowMillis, Consumer<Component> each) {
            return new CompletableFuture<>();
          }

          @Override
          public CompletionStage<Void> pullOwn(
              String region, long nowMillis, Consumer<Component> each) {
            return new CompletableFuture<>();
          }

          @Override
          public void close() {}
        })
        .build();
    world.take(eu, "user", 10, 6);
    world.exchange();
    assertThat(slow.pushes()).hasSize(1);
  }

  @Test
  void belowTheFloorNothingIsPushed() {
    world.policy = PushPolicy.floor(0.2, Duration.ofSeconds(1));
    RateLimiter eu = world.node("eu");
    world.take(eu, "user", 10, 1);
    world.time.advance(Duration.ofSeconds(20));
    assertThat(world.counters.pushes()).isEmpty();
    world.take(eu, "user", 10, 1);
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(2);
  }

  @Test
  void unchangedCountsAreNotPushedAgain() {
    RateLimiter eu = world.node("eu");
    world.take(eu, "user", 10, 6);
    world.time.advance(Duration.ofMinutes(5));
    assertThat(world.counters.pushes()).hasSize(1);
  }

  @Test
  void seriesOfOneRegionIsPushedAtATwentiethAndThenWhenItDoubles() {
    RateLimiter eu = world.node("eu");
    for (int i = 0; i < 100; i++) {
      world.take(eu, "user", 100, 1);
      world.time.advance(Duration.ofMillis(400));
    }
    List<Long> counts = world.counters.pushes().stream().map(Component::count).toList();
    assertThat(counts).hasSizeBetween(4, 5);
    assertThat(counts.get(0)).isBetween(5L, 8L);
    for (int i = 1; i < counts.size(); i++) {
      assertThat(counts.get(i)).isBetween(2 * counts.get(i - 1), 2 * counts.get(i - 1) + 3);
    }
  }

  @Test
  void oneTokenOfANearlyUsedSharedLimitIsPushed() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 6);
    world.exchange();
    assertThat(world.row("us", "user")).isZero(); // not for the import alone
    world.take(us, "user", 10, 1);
    world.exchange();
    assertThat(world.row("us", "user")).isEqualTo(1);
  }

  @Test
  void importCanMakeACountWorthPushing() {
    RateLimiter us = world.node("us");
    world.take(us, "user", 100, 4); // less than a twentieth
    world.exchange();
    assertThat(world.row("us", "user")).isZero();
    world.remoteCounts("eu", world.cell("user"), 90);
    world.exchange();
    assertThat(world.row("us", "user")).isEqualTo(4);
  }

  @Test
  void useElsewhereInThePreviousWindowCountsAsWell() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 97);
    world.exchange();
    world.time.advance(Duration.ofSeconds(48)); // 01:00.9, where 95 of them weigh
    world.take(us, "user", 100, 1);
    world.exchange();
    assertThat(world.row("us", "user")).isEqualTo(1);
  }

  @Test
  void importedCountsAreNeverPushed() {
    RateLimiter us = world.node("us");
    world.remoteCounts("eu", world.cell("user"), 90);
    world.exchange();
    world.take(us, "user", 100, 10);
    world.time.advance(Duration.ofSeconds(55)); // into the next window
    world.take(us, "user", 100, 5);
    world.exchange();
    assertThat(world.counters.pushes())
        .filteredOn(component -> component.region().equals("us"))
        .extracting(Component::count)
        .containsExactly(10L, 5L);
  }

  @Test
  void previousWindowIsStillPushed() {
    RateLimiter eu = world.node("eu");
    world.time.advance(Duration.ofSeconds(49)); // 00:59
    world.exchange();
    world.counters.hold();
    world.take(eu, "user", 10, 6); // 01:01.9
    long before = world.cell("user").sequence();
    world.time.advance(Duration.ofSeconds(59));
    world.counters.release();
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.cell("user").sequence()).isEqualTo(before + 1);
    assertThat(world.counters.count("eu", world.cell("user").previous())).isEqualTo(6);
  }

  @Test
  void deniedRequestsAreNotPushed() {
    RateLimiter eu = world.node("eu");
    RateLimiter us = world.node("us");
    // A request that exceeds its limit by itself...
    assertThat(world.take(eu, "cold", 10, 11).allowed()).isFalse();
    // ... and one that is denied for what the previous window counted.
    world.take(eu, "bleeding", 10, 8);
    world.time.advance(Duration.ofSeconds(51)); // 01:01
    assertThat(world.take(eu, "bleeding", 10, 5).allowed()).isFalse();
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.row("eu", "cold")).isZero();
    assertThat(world.row("eu", "bleeding")).isZero();
    assertThat(world.take(us, "cold", 10, 10).allowed()).isTrue();
    assertThat(world.take(us, "bleeding", 10, 3).allowed()).isTrue(); // 8 * 49/60 = 6 and 3
  }

  /** Periodic walks over all series must not keep them alive. */
  @Test
  void unusedSeriesExpire() {
    RateLimiter eu = world.node("eu");
    for (int i = 0; i < 100; i++) {
      world.take(eu, "user_" + i, 10, 6);
    }
    world.time.advance(Duration.ofMinutes(5));
    assertThat(eu.stats().series()).isZero();
    assertThat(eu.stats().expiredSeries()).isEqualTo(100);
    assertThat(world.events).doesNotContain("eu lost counts");
  }

  @Test
  void manyRowsArePushedInChunksOneAfterTheOther() {
    RateLimiter eu = world.node("eu");
    for (int i = 0; i < 1_250; i++) {
      world.take(eu, "user_" + i, 10, 1);
    }
    world.exchange();
    assertThat(world.events).containsSubsequence("eu pushed 500", "eu pushed 500", "eu pushed 250");
    assertThat(world.counters.pushes()).hasSize(1_250).doesNotHaveDuplicates();
  }

  @Test
  void batchPushesItsCosts() {
    RateLimiter eu = world.node("eu");
    eu.tryAcquireAll(List.of(
        new LimitRequest(world.scope, "one", 10, 3), new LimitRequest(world.scope, "two", 10, 4)));
    eu.tryAcquireAll(List.of(
        new LimitRequest(world.scope, "one", 10, 1), new LimitRequest(world.scope, "two", 10, 9)));
    world.exchange();
    assertThat(world.row("eu", "one")).isEqualTo(3);
    assertThat(world.row("eu", "two")).isEqualTo(4);
  }

  @Test
  void lowestLimitDecidesWhatIsWorthPushing() {
    RateLimiter eu = world.node("eu");
    world.take(eu, "user", 1_000, 8);
    world.exchange();
    assertThat(world.row("eu", "user")).isZero();
    world.take(eu, "user", 100, 1);
    world.take(eu, "user", 1_000, 1);
    world.exchange();
    assertThat(world.row("eu", "user")).isEqualTo(10);
    world.time.advance(Duration.ofMinutes(1)); // in which requests have only the higher limit
    world.take(eu, "user", 1_000, 8);
    world.exchange();
    assertThat(world.row("eu", "user")).isZero();
  }

  @Test
  void closingPushesEverything() {
    RateLimiter eu = world.node("eu");
    world.take(eu, "user", 1_000, 1);
    world.take(eu, "other", 1_000, 2);
    world.exchange();
    assertThat(world.counters.pushes()).isEmpty();
    eu.close();
    assertThat(world.row("eu", "user")).isEqualTo(1);
    assertThat(world.row("eu", "other")).isEqualTo(2);
    eu.close();
    assertThat(world.counters.pushes()).hasSize(2);
  }

  /** As a shutdown hook and a framework do. */
  @Test
  void concurrentCallsOfCloseReturn() throws InterruptedException {
    RateLimiter eu = world.node("eu");
    world.take(eu, "user", 1_000, 1);
    world.counters.hold();
    List<Thread> closers = List.of(new Thread(eu::close), new Thread(eu::close));
    closers.forEach(Thread::start);
    for (Thread closer : closers) {
      closer.join(30_000);
      assertThat(closer.isAlive()).isFalse();
    }
  }

  @Test
  void closedLimiterDecidesAndQueuesNothing() {
    RateLimiter eu = world.node("eu");
    eu.close();
    assertThat(world.take(eu, "user", 10, 1).allowed()).isTrue();
    world.exchange();
    assertThat(world.counters.pushes()).isEmpty();
  }

  @Test
  void evictedSeriesIsStillPushed() {
    RateLimiter eu = world.builder("eu").maxSeries(1).build();
    world.take(eu, "one", 10, 5);
    world.take(eu, "two", 10, 6);
    assertThat(eu.stats().evictedSeries()).isEqualTo(1);
    world.exchange();
    assertThat(world.row("eu", "one")).isEqualTo(5);
    assertThat(world.row("eu", "two")).isEqualTo(6);
  }

  @Test
  void cellThatIsOverIsNotPushed() {
    RateLimiter eu = world.builder("eu").maxSeries(1).build();
    world.counters.fail(new IllegalStateException("down"));
    world.take(eu, "one", 10, 5);
    world.take(eu, "two", 10, 6);
    world.time.advance(Duration.ofMinutes(3));
    world.counters.fail(null);
    world.take(eu, "three", 10, 7);
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.counters.pushes())
        .extracting(component -> component.cell().series().identifier())
        .containsExactly("three");
  }

  @Test
  void recordedCostsArePushedWhateverTheirLimit() {
    RateLimiter us = world.node("us");
    world.take(us, "user", 100, 50);
    us.record(new LimitRequest(world.cell("user").series().scope(), "user", 0, 5_000));
    world.exchange();
    assertThat(world.row("us", "user")).isEqualTo(5_050);
  }
}
