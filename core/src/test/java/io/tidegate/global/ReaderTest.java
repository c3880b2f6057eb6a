package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Scheduler;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One node of a region pulls for all: who it is, what the others receive, and what failures do. */
class ReaderTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private final IllegalStateException down = new IllegalStateException("down");

  private final World world = new World();
  private final InMemoryOrigin origin = new InMemoryOrigin();

  /** The node whose pulls fail, and the one whose pulls are not answered. */
  private String cutOff = "";

  private String silent = "";

  /** How long a pull takes, and how many checks of pushes fail. */
  private Duration delay = Duration.ZERO;

  private int failingChecks;

  private RateLimiter node(String name) {
    return node(name, origin);
  }

  private RateLimiter node(String name, RegionalOrigin ofNode) {
    return world.hold(world
        .builder("us")
        .node(name)
        .origin(ofNode)
        .globalCounters(new Link(name))
        .build());
  }

  /** The world's counters, as one node reaches them. */
  private final class Link implements GlobalCounters {

    private final String node;

    Link(String node) {
      this.node = node;
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return world.counters.push(components);
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      world.events.add(node + (since == EVERYTHING ? " pulls everything" : " pulls changes"));
      if (cutOff.equals(node)) {
        return CompletableFuture.failedFuture(down);
      }
      return silent.equals(node)
          ? new CompletableFuture<>()
          : delayed(world.counters.pull(region, since, nowMillis, each));
    }

    private <T> CompletionStage<T> delayed(CompletionStage<T> answer) {
      if (delay.isZero()) {
        return answer;
      }
      CompletableFuture<T> later = new CompletableFuture<>();
      Scheduler.Task[] task = new Scheduler.Task[1];
      task[0] = world.time.every(delay, () -> {
        task[0].cancel();
        later.complete(answer.toCompletableFuture().join());
      });
      return later;
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      world.events.add(node + " checks");
      return failingChecks-- > 0
          ? CompletableFuture.failedFuture(down)
          : world.counters.pullOwn(region, nowMillis, each);
    }

    @Override
    public void close() {}
  }

  /** How often a node has pulled. */
  private long pulls(String node) {
    return world.events.stream()
        .filter(event -> event.startsWith(node + " pulls"))
        .count();
  }

  private List<String> readers(RateLimiter... nodes) {
    return Stream.of(nodes).map(node -> node.stats().reader().orElse("none")).toList();
  }

  @Test
  void firstNodeReadsForAll() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    assertThat(readers(one, two)).containsExactly("one", "one");
    assertThat(one.stats().reading()).isTrue();
    assertThat(two.stats().reading()).isFalse();
    assertThat(two.stats().millisSincePull()).isEqualTo(-1);
    world.remoteCounts("eu", world.cell("user"), 7);
    world.exchange();
    assertThat(pulls("two")).isZero();
    assertThat(world.effective(two, "user")).isEqualTo(7);
    assertThat(world.effective(one, "user")).isEqualTo(7);
  }

  @Test
  void nodesHoldOnlyTheSeriesThatTheyAreAskedFor() {
    RateLimiter one = node("one");
    for (int i = 0; i < 1_200; i++) {
      world.remoteCounts("eu", world.cell("user_" + i), 7);
    }
    world.exchange();
    assertThat(one.stats().series()).isZero();
    assertThat(origin.stores()).hasSizeGreaterThanOrEqualTo(1_200);
    assertThat(world.effective(one, "user_0")).isEqualTo(7);
    assertThat(world.effective(one, "user_1199")).isEqualTo(7);
    assertThat(one.stats().series()).isEqualTo(2);
  }

  @Test
  void seriesInUseReceivesImportsWithTheNextAnswer() {
    node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.take(two, "user", 100, 1);
    world.remoteCounts("eu", world.cell("user"), 7);
    world.time.advance(Duration.ofMillis(320)); // the longest interval and a tick
    world.take(two, "user", 100, 1);
    world.time.advance(Duration.ofMillis(10));
    assertThat(world.effective(two, "user")).isEqualTo(9);
  }

  @Test
  void evictedSeriesFindsItsImportsInTheOrigin() {
    RateLimiter us = world.hold(world.builder("us").origin(origin).maxSeries(10).build());
    world.remoteCounts("eu", world.cell("user"), 7);
    world.exchange();
    for (int i = 0; i < 100; i++) {
      world.take(us, "user", 1_000, 1);
      world.take(us, "spray_" + i, 100, 50);
      world.time.advance(Duration.ofMillis(10));
    }
    assertThat(us.stats().evictedSeries()).isPositive();
    assertThat(world.effective(us, "user")).isEqualTo(107);
  }

  @Test
  void nodeThatLeavesGivesTheLeaseToAnother() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    one.close();
    world.time.advance(Duration.ofMillis(1_320)); // a registration and an interval
    assertThat(two.stats().reader()).contains("two");
    assertThat(world.events).contains("two pulls everything");
  }

  @Test
  void newReaderStartsWithEverything() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.remoteCounts("eu", world.cell("early"), 7);
    world.time.advance(SECOND);
    one.close();
    origin.loseCounts();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(world.effective(two, "early")).isEqualTo(7);
  }

  @Test
  void readerOfAnOriginThatLostItsDataStoresEverythingAgain() {
    RateLimiter one = node("one");
    world.remoteCounts("eu", world.cell("user"), 7);
    world.time.advance(Duration.ofSeconds(15));
    assertThat(world.effective(one, "user")).isEqualTo(7);
    origin.loseCounts();
    world.time.advance(Duration.ofMillis(1_300));
    RateLimiter two = node("two");
    assertThat(world.effective(two, "user")).isEqualTo(7);
  }

  @Test
  void nodeWhosePullsFailGivesTheLeaseUp() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    cutOff = "one";
    world.time.advance(Duration.ofMillis(2_400));
    assertThat(readers(one, two)).containsExactly("two", "two");
    world.remoteCounts("eu", world.cell("user"), 7);
    world.exchange();
    assertThat(world.effective(one, "user")).isEqualTo(7);
  }

  @Test
  void nodeWhosePullIsNotAnsweredGivesTheLeaseUp() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    silent = "one";
    world.time.advance(Duration.ofMillis(12_400)); // interval, timeout, and two registrations
    assertThat(readers(one, two)).containsExactly("two", "two");
  }

  @Test
  void regionThatWasCutOffFromTheGlobalCountersReadsAgain() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.counters.fail(down);
    world.time.advance(Duration.ofMinutes(1));
    world.remoteCounts("eu", world.cell("user"), 7); // is not stored
    world.counters.fail(null);
    world.remoteCounts("eu", world.cell("user"), 8);
    world.time.advance(
        Duration.ofSeconds(13)); // a pause of the breaker and of the node, and a lease
    assertThat(readers(one, two)).doesNotContain("none");
    assertThat(world.effective(one, "user")).isEqualTo(8);
    assertThat(world.effective(two, "user")).isEqualTo(8);
  }

  @Test
  void nodesPullForThemselvesWhileTheOriginDoesNotAnswer() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.take(two, "user", 100, 1);
    origin.fail(down);
    world.time.advance(Duration.ofSeconds(4));
    assertThat(one.stats().reading()).isTrue();
    assertThat(two.stats().reading()).isTrue();
    assertThat(two.stats().reader()).isEmpty();
    world.remoteCounts("eu", world.cell("user"), 7);
    world.time.advance(SECOND);
    assertThat(world.effective(two, "user")).isEqualTo(8);
    assertThat(world.effective(one, "user")).isEqualTo(7);
    origin.fail(null);
    world.time.advance(Duration.ofSeconds(3));
    assertThat(readers(one, two)).containsExactly("one", "one");
    assertThat(two.stats().reading()).isFalse();
    world.remoteCounts("eu", world.cell("user"), 9);
    world.time.advance(Duration.ofSeconds(6)); // until the last answer is not fresh any more
    assertThat(world.effective(two, "user")).isEqualTo(10);
  }

  @Test
  void pushedCountIsNotPushedByOtherNodes() {
    world.policy = PushPolicy.floor(0, Duration.ofMillis(250));
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.take(one, "user", 100, 3);
    world.time.advance(Duration.ofMillis(20));
    world.effective(two, "user"); // it knows the count, and did not admit any of it
    world.time.advance(SECOND);
    assertThat(world.counters.pushes()).hasSize(1);
    assertThat(origin.stores()).contains(new Component("us", world.cell("user"), 3));
    world.take(two, "user", 100, 1);
    world.time.advance(SECOND);
    assertThat(world.counters.pushes()).hasSize(2);
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.counters.pushes()).hasSize(2);
  }

  /** Both nodes know counts that are worth pushing, and not that the other has pushed them. */
  @Test
  void nodeReadsTheOriginBeforeItPushes() {
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    for (int i = 0; i < 100; i++) {
      world.take(one, "user_" + i, 100, 3);
      world.time.advance(Duration.ofMillis(10));
      world.take(two, "user_" + i, 100, 2);
      world.time.advance(Duration.ofMillis(10));
      world.take(one, "user_" + i, 100, 1);
    }
    world.time.advance(SECOND);
    // Two nodes whose rounds begin within one tick do not see each other's pushes.
    assertThat(world.counters.pushes()).hasSizeBetween(100, 120);
  }

  /** With a database that is far away, a pull takes longer than the interval. */
  @Test
  void slowPullsLeaveTimeForTheCheckOfPushes() {
    delay = Duration.ofMillis(400);
    node("one");
    world.time.advance(Duration.ofMinutes(3));
    assertThat(world.events).filteredOn("one checks"::equals).hasSizeBetween(3, 5);
  }

  @Test
  void failedCheckOfPushesIsRepeatedSoon() {
    failingChecks = 1;
    world.remoteCounts("us", world.cell("user"), 6); // by an earlier process
    RateLimiter one = world.hold(
        world.builder("us").node("one").globalCounters(new Link("one")).build());
    world.time.advance(Duration.ofMillis(6_400));
    assertThat(world.effective(one, "user")).isEqualTo(6);
  }

  @Test
  void nodesKnowThePushesOfTheirRegionWhileTheOriginDoesNotAnswer() {
    world.policy = PushPolicy.floor(0, Duration.ofMillis(250));
    RateLimiter one = node("one");
    RateLimiter two = node("two");
    world.time.advance(SECOND);
    world.take(one, "user", 100, 60);
    world.time.advance(SECOND);
    origin.fail(down);
    world.time.advance(Duration.ofSeconds(5));
    assertThat(world.effective(two, "user")).isEqualTo(60);
    world.take(one, "user", 100, 5);
    world.time.advance(Duration.ofSeconds(14));
    assertThat(world.effective(two, "user")).isEqualTo(65);
  }

  /** A node whose process can stand still, as in a long garbage collection. */
  private RateLimiter stoppableNode(String name, AtomicBoolean standsStill) {
    Scheduler stoppable = new Scheduler() {
      @Override
      public Task every(Duration interval, Runnable work) {
        return world.time.every(interval, () -> {
          if (!standsStill.get()) {
            work.run();
          }
        });
      }

      @Override
      public long elapsedNanos() {
        return world.time.elapsedNanos();
      }
    };
    return world.hold(world
        .builder("us")
        .node(name)
        .origin(origin)
        .globalCounters(new Link(name))
        .scheduler(stoppable)
        .build());
  }

  @Test
  void nodeThatStoodStillDoesNotPullForItself() {
    AtomicBoolean standsStill = new AtomicBoolean();
    node("one");
    RateLimiter two = stoppableNode("two", standsStill);
    world.time.advance(Duration.ofMillis(1_500));
    world.remoteCounts("eu", world.cell("user"), 6);
    standsStill.set(true);
    world.time.advance(Duration.ofMillis(3_500));
    origin.hold(); // until the next answer
    standsStill.set(false);
    world.time.advance(Duration.ofMillis(40));
    origin.release();
    world.time.advance(SECOND);
    assertThat(pulls("two")).isZero();
    assertThat(two.stats().series()).isZero();
  }

  @Test
  void nodeThatStoodStillDuringItsRegistrationDoesNotPullForItself() {
    AtomicBoolean standsStill = new AtomicBoolean();
    node("one");
    stoppableNode("two", standsStill);
    world.time.advance(Duration.ofMillis(1_950));
    origin.hold(); // the answer arrives while the process stands still, which cannot process it
    world.time.advance(Duration.ofMillis(100));
    standsStill.set(true);
    world.time.advance(Duration.ofMillis(3_500));
    standsStill.set(false);
    world.time.advance(Duration.ofMillis(400));
    origin.release();
    world.time.advance(SECOND);
    assertThat(pulls("two")).isZero();
  }

  @Test
  void registrationsThatAreLostNowAndThenDoNotMakeTheReaderPullEverything() {
    LossyOrigin lossy = new LossyOrigin();
    node("one", lossy);
    world.time.advance(Duration.ofMinutes(2));
    lossy.loses = true;
    world.events.clear();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.events).filteredOn("one pulls everything"::equals).hasSizeBetween(8, 16);
    assertThat(pulls("one")).isGreaterThan(400);
  }

  @Test
  void importsAreNeverPushed() {
    world.policy = PushPolicy.floor(0, Duration.ofMillis(250));
    RateLimiter one = node("one");
    world.remoteCounts("eu", world.cell("user"), 40);
    world.time.advance(SECOND);
    world.take(one, "user", 100, 3);
    world.time.advance(SECOND);
    assertThat(world.row("us", "user")).isEqualTo(3);
    assertThat(origin.total("us", world.cell("user"))).isEqualTo(3);
  }

  @Test
  void countsThatTheOriginDidNotStoreArePulledAgainSoon() {
    LossyOrigin failing = new LossyOrigin();
    RateLimiter one = node("one", failing);
    world.time.advance(SECOND);
    failing.failsStores = true;
    world.remoteCounts("eu", world.cell("user"), 7);
    world.time.advance(Duration.ofSeconds(2));
    assertThat(world.effective(one, "user")).isZero();
    failing.failsStores = false;
    world.time.advance(Duration.ofSeconds(13)); // the next repair, and a fresh answer
    assertThat(world.effective(one, "user")).isEqualTo(7);
  }

  @Test
  void windowsThatAreNotSharedAreNotStored() {
    node("one");
    world.remoteCounts("eu", world.cell("user", Duration.ofSeconds(2)), 7);
    world.exchange();
    assertThat(origin.stores()).isEmpty();
  }

  @Test
  void nodeWithoutGlobalCountersNeverReads() {
    RateLimiter alone = world.hold(RateLimiter.builder()
        .clock(world.time)
        .scheduler(world.time)
        .region("us")
        .origin(origin)
        .build());
    world.time.advance(Duration.ofSeconds(3));
    assertThat(alone.stats().reader()).isEmpty();
    assertThat(alone.stats().reading()).isFalse();
    RateLimiter reader = node("one");
    world.time.advance(SECOND);
    assertThat(readers(alone, reader)).containsExactly("one", "one");
  }

  /** Passes all calls on, except some stores and registrations. */
  private final class LossyOrigin implements RegionalOrigin {

    private boolean failsStores;
    private boolean loses;
    private int registrations;

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
      return failsStores ? CompletableFuture.failedFuture(down) : origin.store(region, components);
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      CompletionStage<LiveNodes> answer = origin.register(registration);
      return loses && ++registrations % 2 == 0 ? CompletableFuture.failedFuture(down) : answer;
    }

    @Override
    public CompletionStage<Optional<String>> identify(String region, String candidate) {
      return origin.identify(region, candidate);
    }

    @Override
    public void close() {}
  }
}
