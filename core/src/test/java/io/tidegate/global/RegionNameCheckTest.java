package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RegionNameCheckTest {

  /** Time for some checks, each of which may be late by a fifth. */
  private static final Duration CHECKS = Duration.ofSeconds(60);

  private final World world = new World();
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final InMemoryOrigin other = new InMemoryOrigin();

  private RateLimiter node(String region, RegionalOrigin of, String name) {
    return world.hold(world.builder(region).origin(of).node(name).build());
  }

  private void assertNoConflict(RateLimiter... nodes) {
    assertThat(world.events).noneMatch(event -> event.contains("conflict"));
    assertThat(nodes).noneMatch(node -> node.stats().regionNameConflict());
  }

  @Test
  void twoRegionsWithOneNameDetectEachOther() {
    RateLimiter one = node("eu", origin, "one");
    RateLimiter two = node("eu", other, "two");
    RateLimiter us = node("us", new InMemoryOrigin(), "three");
    world.time.advance(CHECKS);
    assertThat(world.events).contains("eu conflict eu").doesNotContain("us conflict us");
    assertThat(one.stats().regionNameConflict()).isTrue();
    assertThat(two.stats().regionNameConflict()).isTrue();
    assertThat(us.stats().regionNameConflict()).isFalse();
  }

  @Test
  void conflictIsReportedOnceAMinuteUntilItIsOver() {
    RateLimiter one = node("eu", origin, "one");
    RateLimiter two = node("eu", other, "two");
    world.time.advance(Duration.ofMinutes(10));
    assertThat(one.stats().regionNameConflict()).isTrue();
    assertThat(world.events.stream().filter("eu conflict eu"::equals).count()).isBetween(18L, 20L);
    two.close();
    world.time.advance(Duration.ofMinutes(2));
    world.events.clear();
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(one);
  }

  /** Whatever the jitter of both: neither finds growth in every check. */
  @Test
  void conflictIsFoundWithinAMinuteAndStays() {
    for (int i = 0; i < 50; i++) {
      RateLimiter one = world.builder("region_" + i).node("one_" + i).build();
      RateLimiter two = world.builder("region_" + i).node("two_" + i).build();
      world.time.advance(CHECKS);
      assertThat(one.stats().regionNameConflict()).as("%s", i).isTrue();
      assertThat(two.stats().regionNameConflict()).as("%s", i).isTrue();
      for (int minute = 0; minute < 3; minute++) {
        world.time.advance(Duration.ofMinutes(1));
        assertThat(one.stats().regionNameConflict()).as("%s", i).isTrue();
      }
      one.close();
      two.close();
    }
  }

  @Test
  void nodesWithoutAnOriginConflict() {
    RateLimiter one = world.node("eu");
    RateLimiter two = world.node("eu");
    world.time.advance(CHECKS);
    assertThat(one.stats().regionNameConflict()).isTrue();
    assertThat(two.stats().regionNameConflict()).isTrue();
  }

  @Test
  void restartedNodeWithoutAnOriginDoesNot() {
    RateLimiter former = world.node("eu");
    world.time.advance(CHECKS);
    former.close();
    RateLimiter node = world.node("eu");
    world.time.advance(CHECKS);
    assertNoConflict(former, node);
  }

  @Test
  void nodesOfOneRegionThatStartAtOnceDoNot() {
    RateLimiter[] nodes = new RateLimiter[20];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = node("eu", origin, "node_" + i);
    }
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(nodes);
  }

  @Test
  void originThatRestartsEmptyGetsItsIdentityBack() {
    RateLimiter one = node("eu", origin, "one");
    RateLimiter two = node("eu", origin, "two");
    world.time.advance(CHECKS);
    String before = origin.identify("eu", "none").toCompletableFuture().join().orElseThrow();
    origin.loseCounts();
    world.time.advance(CHECKS);
    assertThat(origin.identify("eu", "none").toCompletableFuture().join()).hasValue(before);
    assertNoConflict(one, two);
  }

  @Test
  void newNodeMayGiveAnEmptyOriginAnotherIdentity() {
    RateLimiter one = node("eu", origin, "one");
    RateLimiter two = node("eu", origin, "two");
    world.time.advance(CHECKS);
    origin.loseCounts();
    RateLimiter three = node("eu", origin, "three");
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(one, two, three);
  }

  /** The announcement of a slow node arrives after others have announced the new identity. */
  @Test
  void lateAnnouncementOfTheFormerIdentityIsNoConflict() {
    RateLimiter one = node("eu", origin, "one");
    world.time.advance(CHECKS);
    String before = origin.identify("eu", "none").toCompletableFuture().join().orElseThrow();
    origin.loseCounts();
    RateLimiter two = node("eu", origin, "two");
    world.time.advance(Duration.ofSeconds(25));
    world.counters.announce("eu", before);
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(one, two);
  }

  @Test
  void allNodesMayRestartWithAnEmptyOrigin() {
    RateLimiter one = node("eu", origin, "one");
    world.time.advance(CHECKS);
    one.close();
    origin.loseCounts();
    RateLimiter two = node("eu", origin, "two");
    RateLimiter three = node("eu", origin, "three");
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(two, three);
  }

  @Test
  void unavailableStoresAreNoConflict() {
    RateLimiter one = node("eu", origin, "one");
    origin.fail(new IllegalStateException("down"));
    RateLimiter two = node("eu", origin, "two");
    world.time.advance(CHECKS);
    origin.fail(null);
    world.time.advance(CHECKS);
    world.counters.hold();
    origin.loseCounts();
    world.time.advance(CHECKS);
    world.counters.release();
    world.time.advance(Duration.ofMinutes(5));
    assertNoConflict(one, two);
  }

  @Test
  void conflictIsFoundAfterAnOutage() {
    RateLimiter one = node("eu", origin, "one");
    RateLimiter two = node("eu", other, "two");
    origin.fail(new IllegalStateException("down"));
    world.counters.fail(new IllegalStateException("down"));
    world.time.advance(CHECKS);
    assertNoConflict(one, two);
    origin.fail(null);
    world.counters.fail(null);
    world.time.advance(CHECKS.plusSeconds(10)); // a pause of the breaker
    assertThat(one.stats().regionNameConflict()).isTrue();
    assertThat(two.stats().regionNameConflict()).isTrue();
  }

  @Test
  void originThatHoldsNoIdentityIsNotChecked() {
    RegionalOrigin plain = new RegionalOrigin() {
      @Override
      public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
        return origin.read(counts);
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
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        return origin.replay(counts);
      }

      @Override
      public void close() {}
    };
    RateLimiter one = node("eu", plain, "one");
    RateLimiter two = node("eu", plain, "two");
    world.time.advance(CHECKS);
    assertNoConflict(one, two);
    assertThat(world.counters.announce("eu", "probe").toCompletableFuture().join())
        .isZero();
  }
}
