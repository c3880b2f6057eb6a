package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Pushes that fail, are not answered, or are lost by the global counters. */
class PushFailureTest {

  private final World world = new World();

  @Test
  void failedPushIsRepeatedByTheNext() {
    RateLimiter eu = world.node("eu");
    world.exchange();
    world.counters.fail(new IllegalStateException("down"));
    world.take(eu, "user", 10, 2);
    world.time.advance(Duration.ofSeconds(20));
    world.take(eu, "user", 10, 3);
    assertThat(world.events).contains("eu push failed OTHER", "eu push failed CIRCUIT_OPEN");
    assertThat(eu.stats().millisSincePush()).isGreaterThan(15_000);
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(8)); // a pause of the breaker, and a tick
    assertThat(world.row("eu", "user")).isEqualTo(5);
    assertThat(world.counters.pushes()).hasSize(1);
    assertThat(eu.stats().millisSincePush()).isBetween(0L, 1_500L);
  }

  @Test
  void pushThatIsNotAnsweredIsRepeated() {
    RateLimiter eu = world.node("eu");
    world.counters.hold();
    world.take(eu, "user", 10, 6);
    world.time.advance(Duration.ofSeconds(14));
    assertThat(world.events).contains("eu push failed TIMEOUT");
    world.counters.release();
    world.time.advance(Duration.ofSeconds(12));
    assertThat(world.row("eu", "user")).isEqualTo(6);
    world.take(eu, "user", 10, 1);
    world.exchange();
    assertThat(world.counters.pushes()).allMatch(component -> component.count() == 6);
  }

  /** As after a failover to a server that was behind. */
  @Test
  void countsThatTheGlobalCountersLostArePushedAgain() {
    RateLimiter eu = world.builder("eu").build();
    RateLimiter us = world.builder("us").build();
    world.take(eu, "user", 10, 6);
    world.take(eu, "other", 10, 5);
    world.time.advance(Duration.ofSeconds(25)); // without requests for them
    world.counters.loseCounts();
    world.remoteCounts("eu", world.cell("other"), 2); // an older count was saved
    world.time.advance(Duration.ofSeconds(15)); // 00:50
    assertThat(world.row("eu", "user")).isZero();
    world.time.advance(Duration.ofSeconds(45)); // in the next window, in which it still weighs
    assertThat(world.counters.count("eu", world.cell("user").previous())).isEqualTo(6);
    assertThat(world.counters.count("eu", world.cell("other").previous())).isEqualTo(5);
    assertThat(world.events.stream().filter("eu lost counts"::equals)).hasSize(1);
    assertThat(world.events).doesNotContain("us lost counts");
    assertThat(world.effective(us, "user")).isPositive();
    int pushes = world.counters.pushes().size();
    world.time.advance(Duration.ofMinutes(3));
    assertThat(world.counters.pushes()).hasSize(pushes);
  }

  @Test
  void presentCountsAreNotTakenForLost() {
    RateLimiter eu = world.node("eu");
    for (int i = 0; i < 300; i++) {
      world.take(eu, "user_" + i % 17, 100, 3);
      world.time.advance(Duration.ofMillis(997));
    }
    assertThat(world.events).doesNotContain("eu lost counts");
  }

  @Test
  void failedChunkDoesNotAffectEarlierOnes() {
    RateLimiter eu = world.node("eu");
    for (int i = 0; i < 750; i++) {
      world.take(eu, "user_" + i, 10, 1);
    }
    while (world.counters.pushes().isEmpty()) {
      world.time.advance(GlobalLayer.TICK);
    }
    world.counters.fail(new IllegalStateException("lost in between"));
    world.time.advance(Duration.ofSeconds(2));
    assertThat(world.counters.pushes()).hasSize(500);
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(8));
    assertThat(world.counters.pushes()).hasSize(750).doesNotHaveDuplicates();
  }

  @Test
  void memoryStaysBoundedWhilePushesFail() {
    RateLimiter eu = world.builder("eu").maxSeries(100).build();
    world.counters.fail(new IllegalStateException("down"));
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 200; i++) {
        world.take(eu, "user_" + round + "_" + i, 10, 1);
      }
      world.time.advance(Duration.ofMillis(20));
    }
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(8));
    // Only counts of evicted series beyond the bound are given up.
    assertThat(world.counters.pushes()).hasSizeBetween(600, 1_300);
    assertThat(world.counters.pushes().size() + eu.stats().unpushedSeries()).isEqualTo(40_000);
  }

  /** Series that are not queued leave no room for evicted ones. */
  @Test
  void fewEvictedSeriesAreKeptBesideManyIdleOnes() {
    RateLimiter eu = world.builder("eu").maxSeries(8_000).build();
    for (int i = 0; i < 7_000; i++) {
      world.take(eu, "idle_" + i, 10, 9);
    }
    world.exchange();
    int before = world.counters.pushes().size();
    world.counters.fail(new IllegalStateException("down"));
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 200; i++) {
        world.take(eu, "user_" + round + "_" + i, 10, 1);
      }
      world.time.advance(Duration.ofMillis(20));
    }
    world.counters.fail(null);
    world.time.advance(Duration.ofSeconds(10));
    int kept = world.counters.pushes().size() - before;
    assertThat(kept).isBetween(2_000, 3_500); // 1,000 to 2,000 evicted, and 1,000 alive
    assertThat(kept + eu.stats().unpushedSeries()).isEqualTo(40_000);
  }

  @Test
  void policyThatThrowsLosesNothing() {
    AtomicBoolean throwing = new AtomicBoolean();
    world.policy = new PushPolicy() {
      @Override
      public Duration interval() {
        return Duration.ofSeconds(1);
      }

      @Override
      public boolean isWorthPushing(CellUse use) {
        if (use.count() == 3 && throwing.get()) {
          throw new IllegalStateException("thrown by a test");
        }
        return true;
      }
    };
    RateLimiter eu = world.node("eu");
    world.exchange();
    throwing.set(true);
    for (int i = 1; i < 6; i++) {
      world.take(eu, "user_" + i, 10, i);
    }
    world.exchange();
    throwing.set(false);
    world.exchange();
    assertThat(world.counters.pushes()).hasSize(5);
  }

  /** An adapter that returns an invalid answer must not stop all pushes. */
  @Test
  void missingAnswerFailsOnePushOnly() {
    AtomicBoolean misbehaves = new AtomicBoolean(true);
    GlobalCounters counters = new GlobalCounters() {
      @Override
      public CompletionStage<List<Component>> push(List<Component> components) {
        return misbehaves.get()
            ? CompletableFuture.completedFuture(null)
            : world.counters.push(components);
      }

      @Override
      public CompletionStage<Long> pull(
          String region, long since, long nowMillis, Consumer<Component> each) {
        return world.counters.pull(region, since, nowMillis, each);
      }

      @Override
      public CompletionStage<Void> pullOwn(
          String region, long nowMillis, Consumer<Component> each) {
        return world.counters.pullOwn(region, nowMillis, each);
      }

      @Override
      public void close() {}
    };
    RateLimiter eu = RateLimiter.builder()
        .clock(world.time)
        .scheduler(world.time)
        .region("eu")
        .globalCounters(counters)
        .build();
    world.take(eu, "user", 10, 5);
    world.exchange();
    misbehaves.set(false);
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.counters.pushes()).hasSize(1);
  }
}
