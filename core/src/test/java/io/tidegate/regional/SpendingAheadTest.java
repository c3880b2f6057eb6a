package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a node admits before the origin has confirmed it: its share of what is left. */
class SpendingAheadTest {

  private static final long LIMIT = 100;

  private final Fleet fleet = new Fleet();

  private List<RateLimiter> nodes(int count) {
    List<RateLimiter> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(fleet.node());
    }
    fleet.time.advance(Duration.ofSeconds(1)); // all have registered, and know each other
    return nodes;
  }

  /** Makes a series fresh, and lets the origin answer no call from then on. */
  private void startWithOneToken(RateLimiter node) {
    fleet.take(node, "user", LIMIT, 1);
    fleet.tick();
    fleet.origin.hold();
  }

  private int admittedWithoutAnswer(RateLimiter node) {
    int admitted = 0;
    while (fleet.takeAsync(node, "user", LIMIT, 1).isDone()) {
      admitted++;
    }
    return admitted;
  }

  @Test
  void nodeByItselfSpendsEverythingWithoutAsking() {
    RateLimiter node = nodes(1).get(0);
    assertThat(node.stats().liveNodes()).isEqualTo(1);
    startWithOneToken(node);
    for (int i = 1; i < LIMIT; i++) {
      assertThat(fleet.takeAsync(node, "user", LIMIT, 1)).isDone();
    }
    assertThat(fleet.take(node, "user", LIMIT, 1).allowed()).isFalse();
    assertThat(fleet.answered).doesNotContain(OriginOperation.READ_SHARE);
  }

  @Test
  void oneOfTwoNodesSpendsAQuarterOfWhatIsLeft() {
    RateLimiter node = nodes(2).get(0);
    assertThat(node.stats().liveNodes()).isEqualTo(2);
    startWithOneToken(node);
    assertThat(admittedWithoutAnswer(node)).isEqualTo(99 / 4);
  }

  @Test
  void requestBeyondTheShareWaitsForTheAnswerThatRenewsIt() {
    RateLimiter node = nodes(2).get(0);
    startWithOneToken(node);
    for (int i = 0; i < 99 / 4; i++) {
      fleet.take(node, "user", LIMIT, 1);
    }
    CompletableFuture<Decision> waiting = fleet.takeAsync(node, "user", LIMIT, 1);
    assertThat(waiting).isNotDone();
    fleet.origin.release();
    assertThat(waiting.join().allowed()).isTrue();
    assertThat(waiting.join().source()).isEqualTo(Decision.Source.ORIGIN);
    assertThat(waiting.join().degraded()).isFalse();
    assertThat(fleet.answered).contains(OriginOperation.READ_SHARE);
  }

  @Test
  void countIsSentWithoutATickOnceHalfOfTheShareIsSpent() {
    RateLimiter node = nodes(2).get(0);
    fleet.take(node, "user", LIMIT, 1);
    fleet.tick();
    for (int i = 0; i < 12; i++) { // half of 99 / 4
      fleet.take(node, "user", LIMIT, 1);
    }
    assertThat(fleet.total("user")).isEqualTo(1);
    fleet.take(node, "user", LIMIT, 1);
    assertThat(fleet.total("user")).isEqualTo(14);
  }

  @Test
  void countOfABatchIsSentWithoutATickOnceHalfOfTheShareIsSpent() {
    RateLimiter node = nodes(2).get(0);
    fleet.take(node, "other", LIMIT, 1);
    fleet.take(node, "user", LIMIT, 1);
    fleet.tick();
    batch(node, 12).join(); // half of 99 / 4
    assertThat(fleet.total("user")).isEqualTo(1);
    batch(node, 1).join();
    assertThat(fleet.total("user")).isEqualTo(14);
    assertThat(fleet.total("other")).isEqualTo(1);
  }

  @Test
  void steadyLoadNeverWaits() {
    List<RateLimiter> nodes = nodes(5);
    nodes.forEach(node -> fleet.take(node, "user", 1_000_000, 1));
    for (int i = 0; i < 10_000; i++) {
      Decision decision = fleet.take(nodes.get(i % 5), "user", 1_000_000, 1);
      assertThat(decision.source()).isEqualTo(Decision.Source.LOCAL);
    }
  }

  /** Answers the calls of all nodes together, as servers do after one round trip. */
  private static final class SteppedOrigin implements RegionalOrigin {

    private final InMemoryOrigin origin = new InMemoryOrigin();
    private List<Runnable> calls = new ArrayList<>();
    private List<Runnable> answers = new ArrayList<>();

    /** The series whose reads are never answered. */
    private String silent = "";

    /** Performs the calls made so far, and then answers them. */
    void step() {
      List<Runnable> made = takeCalls();
      answers = new ArrayList<>();
      made.forEach(Runnable::run);
      answers.forEach(Runnable::run);
    }

    private synchronized List<Runnable> takeCalls() {
      List<Runnable> made = calls;
      calls = new ArrayList<>();
      return made;
    }

    private synchronized <T> CompletableFuture<T> call(Supplier<CompletionStage<T>> call) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      calls.add(() -> {
        T result = call.get().toCompletableFuture().join();
        answers.add(() -> answer.complete(result));
      });
      return answer;
    }

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      String identifier = counts.get(0).cell().series().identifier();
      if (identifier.equals(silent)) {
        return new CompletableFuture<>();
      }
      return identifier.equals("fails")
          ? CompletableFuture.failedFuture(new IllegalStateException("broken by a test"))
          : call(() -> origin.read(counts));
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return counts.stream()
          .<CompletionStage<RegionalCount>>map(
              count -> call(() -> origin.replay(List.of(count)).get(0)))
          .toList();
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      return call(() -> origin.store(region, components));
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return origin.register(registration);
    }

    @Override
    public void close() {}
  }

  private static List<RateLimiter> nodes(int count, SteppedOrigin origin, VirtualTime time) {
    List<RateLimiter> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(RateLimiter.builder()
          .clock(time)
          .scheduler(time)
          .region("eu")
          .origin(origin)
          .build());
    }
    time.advance(Duration.ofSeconds(1)); // all know each other
    return nodes;
  }

  @Test
  void allReadsOfARequestTogetherTake300Milliseconds() {
    SteppedOrigin origin = new SteppedOrigin();
    VirtualTime time = VirtualTime.startingAt(fleet.time.instant());
    RateLimiter node = nodes(2, origin, time).get(0);
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      var request = fleet.request("user", 5, 1);
      decisions.add(node.tryAcquireAsync(request).toCompletableFuture());
    }
    time.advance(Duration.ofMillis(200));
    origin.step(); // the answer to all of them, of which one has a share
    assertThat(decisions.stream().filter(CompletableFuture::isDone)).hasSize(1);
    time.advance(Duration.ofMillis(90));
    assertThat(decisions.stream().filter(CompletableFuture::isDone)).hasSize(1);
    time.advance(Duration.ofMillis(20));
    assertThat(decisions).allSatisfy(decision -> {
      assertThat(decision).isDone();
      assertThat(decision.join().allowed()).isTrue();
      assertThat(decision.join().source()).isEqualTo(Decision.Source.ORIGIN);
      assertThat(decision.join().degraded()).isFalse();
    });
  }

  /** A scheduler that runs nothing: only the caller itself can end its wait. */
  @Test
  void blockedCallerUsesItsFirstAnswerIfTheNextIsLate() throws Exception {
    List<Decision> decisions = List.of();
    for (boolean inTime = false; !inTime; ) {
      long began = System.nanoTime();
      SteppedOrigin origin = new SteppedOrigin();
      List<FutureTask<Decision>> blocked = blockTwoCallers(origin);
      origin.step(); // one of them has a share, the other asks again and is not answered
      inTime = System.nanoTime() - began < 200_000_000;
      decisions = List.of(
          blocked.get(0).get(60, TimeUnit.SECONDS), blocked.get(1).get(60, TimeUnit.SECONDS));
    }
    assertThat(decisions).allMatch(Decision::allowed);
    assertThat(decisions).allMatch(decision -> decision.source() == Decision.Source.ORIGIN);
  }

  /** Two callers of one node, of which both wait for the same read. */
  private List<FutureTask<Decision>> blockTwoCallers(SteppedOrigin origin) {
    RateLimiterBuilder builder = RateLimiter.builder()
        .scheduler((interval, work) -> () -> {})
        .region("eu")
        .origin(origin);
    builder.build();
    RateLimiter node = builder.build(); // knows that there are two
    List<FutureTask<Decision>> decisions = new ArrayList<>();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      decisions.add(new FutureTask<>(() -> node.tryAcquire(fleet.request("user", 5, 1))));
      callers.add(new Thread(decisions.get(i)));
    }
    callers.forEach(Thread::start);
    while (!callers.stream().allMatch(SpendingAheadTest::hasBegunToWait)) {
      Thread.onSpinWait();
    }
    return decisions;
  }

  private static boolean hasBegunToWait(Thread caller) {
    return caller.getState() == Thread.State.TIMED_WAITING
        || caller.getState() == Thread.State.TERMINATED;
  }

  @Test
  void shareThatIsSpentDuringTheReadOfAnotherSeriesIsReadWithinTheSameTime() {
    SteppedOrigin origin = new SteppedOrigin();
    VirtualTime time = VirtualTime.startingAt(fleet.time.instant());
    RateLimiter node = nodes(2, origin, time).get(0);
    var user = fleet.request("user", LIMIT, 1);
    CompletableFuture<Decision> first = node.tryAcquireAsync(user).toCompletableFuture();
    origin.step();
    assertThat(first).isDone();
    origin.silent = "user";
    CompletableFuture<BatchDecision> batch = node.tryAcquireAllAsync(
            List.of(user, fleet.request("cold", LIMIT, 1)))
        .toCompletableFuture();
    while (node.tryAcquireAsync(user).toCompletableFuture().isDone()) { // spends the share
    }
    time.advance(Duration.ofMillis(200));
    origin.step(); // the cold series is known
    assertThat(batch).isNotDone();
    time.advance(Duration.ofMillis(90));
    assertThat(batch).isNotDone();
    time.advance(Duration.ofMillis(20));
    assertThat(batch.join().allowed()).isTrue();
    assertThat(batch.join().decisions().get(0).degraded()).isTrue();
    assertThat(batch.join().decisions().get(1).source()).isEqualTo(Decision.Source.ORIGIN);
  }

  @Test
  void nodesTogetherExceedALimitByAboutOneRequestEach() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int count = 2 + random.nextInt(9);
      long limit = 1L + random.nextInt(1_000);
      int rush = 2 + random.nextInt(40);
      SteppedOrigin origin = new SteppedOrigin();
      VirtualTime time = VirtualTime.startingAt(fleet.time.instant());
      List<RateLimiter> nodes = nodes(count, origin, time);
      List<CompletableFuture<Decision>> decisions = new ArrayList<>();
      for (int round = 0; round < 20 || decisions.size() < 3 * limit; round++) {
        for (RateLimiter node : nodes) {
          for (int i = random.nextInt(rush); i > 0; i--) {
            var request = fleet.request("user", limit, 1);
            decisions.add(node.tryAcquireAsync(request).toCompletableFuture());
          }
        }
        origin.step();
      }
      while (!decisions.stream().allMatch(CompletableFuture::isDone)) {
        origin.step();
      }
      long admitted = decisions.stream().filter(done -> done.join().allowed()).count();
      assertThat(admitted).as("seed %s", seed).isBetween(limit, limit + 2L * count);
    }
  }

  @Test
  void batchBeyondTheShareWaits() {
    RateLimiter node = nodes(2).get(0);
    fleet.take(node, "other", LIMIT, 1);
    startWithOneToken(node);
    CompletableFuture<BatchDecision> within = batch(node, 24);
    CompletableFuture<BatchDecision> beyond = batch(node, 1);
    assertThat(within).isDone();
    assertThat(beyond).isNotDone();
    fleet.origin.release();
    assertThat(beyond.join().allowed()).isTrue();
    assertThat(beyond.join().decisions().get(0).source()).isEqualTo(Decision.Source.ORIGIN);
  }

  @Test
  void batchThatWaitsForItsShareIsDeniedIfPeersHaveSpentTheRest() {
    RateLimiter node = nodes(2).get(0);
    fleet.take(node, "other", LIMIT, 1);
    fleet.take(node, "user", LIMIT, 1);
    fleet.tick();
    fleet.peerCounts(fleet.cell("user"), LIMIT - 30);
    fleet.origin.hold();
    assertThat(batch(node, 24)).isDone();
    List<CompletableFuture<BatchDecision>> beyond = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      beyond.add(batch(node, 1));
    }
    fleet.origin.release();
    assertThat(beyond.stream().filter(done -> done.join().allowed())).hasSize(30 - 1 - 24);
  }

  @Test
  void batchesThatWaitTogetherAreAdmittedOneByOne() {
    List<RateLimiter> nodes = nodes(2);
    fleet.peerCounts(fleet.cell("user"), LIMIT - 2);
    nodes.forEach(node -> fleet.take(node, "other", LIMIT, 1));
    fleet.origin.hold();
    List<CompletableFuture<BatchDecision>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(batch(nodes.get(i % 2), 1));
    }
    fleet.origin.release();
    assertThat(waiting.stream().filter(done -> done.join().allowed()).count()).isBetween(2L, 4L);
  }

  private CompletableFuture<BatchDecision> batch(RateLimiter node, long cost) {
    return node.tryAcquireAllAsync(
            List.of(fleet.request("user", LIMIT, cost), fleet.request("other", LIMIT, 1)))
        .toCompletableFuture();
  }

  /** Of a batch, only the series whose own read has failed is decided from memory. */
  @Test
  void failedReadOfOneSeriesLiftsNoShareOfAnother() {
    SteppedOrigin origin = new SteppedOrigin();
    List<RateLimiter> nodes = nodes(5, origin, VirtualTime.startingAt(fleet.time.instant()));
    List<CompletableFuture<BatchDecision>> batches = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      var requests = List.of(fleet.request("user", LIMIT, 1), fleet.request("fails", 1_000, 1));
      batches.add(nodes.get(i % 5).tryAcquireAllAsync(requests).toCompletableFuture());
    }
    while (!batches.stream().allMatch(CompletableFuture::isDone)) {
      origin.step();
    }
    assertThat(batches.stream().filter(batch -> batch.join().allowed()).count())
        .isBetween(LIMIT, LIMIT + 10);
  }

  @Test
  void answerConfirmsOnlyWhatItsReadHasSent() {
    RateLimiter node = nodes(2).get(0);
    fleet.take(node, "user", LIMIT, 3);
    fleet.tick();
    fleet.origin.hold();
    CompletableFuture<Decision> peek = fleet.takeAsync(node, "user", LIMIT, 0);
    fleet.time.advance(Duration.ofMillis(150)); // past the age of an answer to a peek
    CompletableFuture<Decision> second = fleet.takeAsync(node, "user", LIMIT, 0);
    fleet.origin.loseCounts(); // before the read, which sends nothing, is answered
    fleet.origin.release();
    assertThat(peek).isDone();
    assertThat(second).isDone();
    fleet.time.advance(Duration.ofSeconds(2)); // the loss is detected, and the count sent again
    assertThat(fleet.total("user")).isEqualTo(3);
  }

  @Test
  void firstTokensOfAWindowAreAShareToo() {
    List<RateLimiter> nodes = nodes(2);
    nodes.forEach(node -> fleet.take(node, "user", LIMIT, 1));
    fleet.time.advance(Duration.ofMillis(Fleet.WINDOW - fleet.time.millis() % Fleet.WINDOW - 20));
    nodes.forEach(node -> fleet.take(node, "user", LIMIT, 1));
    fleet.time.advance(Duration.ofMillis(30)); // the next window has begun
    fleet.origin.hold();
    assertThat(admittedWithoutAnswer(nodes.get(0))).isEqualTo((100 - 4) / 4);
  }

  @Test
  void beyondItsShareANodeWaitsOnceForAnOriginThatDoesNotAnswer() {
    RateLimiter node = nodes(2).get(0);
    startWithOneToken(node);
    admittedWithoutAnswer(node);
    CompletableFuture<Decision> waiting = fleet.takeAsync(node, "user", LIMIT, 1);
    fleet.time.advance(Duration.ofMillis(310));
    assertThat(waiting.join().degraded()).isTrue();
    assertThat(waiting.join().allowed()).isTrue();
    assertThat(fleet.takeAsync(node, "user", LIMIT, 1)).isDone();
  }

  @Test
  void nodeThatLeavesReturnsItsShare() {
    List<RateLimiter> nodes = nodes(2);
    nodes.get(1).close();
    fleet.time.advance(Duration.ofSeconds(2));
    assertThat(nodes.get(0).stats().liveNodes()).isEqualTo(1);
  }

  @Test
  void lossOfAllRegistrationsLetsNoNodeTakeItselfForAlone() {
    List<RateLimiter> nodes = nodes(3);
    fleet.origin.expireNodes();
    for (int i = 0; i < 300; i++) {
      fleet.tick();
      assertThat(nodes).allMatch(node -> node.stats().liveNodes() == 3);
    }
  }

  @Test
  void numberOfNodesIsKeptWhileTheOriginFails() {
    RateLimiter node = nodes(3).get(0);
    fleet.breakOrigin();
    fleet.time.advance(Duration.ofSeconds(10));
    assertThat(node.stats().liveNodes()).isEqualTo(3);
  }
}
