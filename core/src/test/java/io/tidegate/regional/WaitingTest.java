package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long requests wait for a read of the origin, also while it fails. */
class WaitingTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();

  @Test
  void unansweredReadIsGivenUpAfter300Milliseconds() {
    fleet.origin.hold();
    CompletableFuture<Decision> decision = fleet.takeAsync(node, "user", 10, 1);
    fleet.time.advance(Duration.ofMillis(290));
    assertThat(decision).isNotDone();
    fleet.time.advance(Duration.ofMillis(10));
    assertThat(decision.join().allowed()).isTrue();
    assertThat(decision.join().degraded()).isTrue();
    assertThat(decision.join().source()).isEqualTo(Decision.Source.LOCAL);
    assertThat(fleet.failed).containsExactly(CallFailure.TIMEOUT);
  }

  @Test
  void callerMayWaitForLess() {
    fleet.peerCounts(fleet.cell("user"), 7);
    fleet.origin.hold();
    CompletableFuture<Decision> decision = takeWithin(Duration.ofMillis(15));
    fleet.time.advance(Duration.ofMillis(10));
    assertThat(decision).isNotDone();
    fleet.time.advance(Duration.ofMillis(10));
    assertThat(decision.join().degraded()).isTrue();
    assertThat(decision.join().effectiveCount()).isEqualTo(1);
    fleet.origin.release(); // the read goes on, and is not charged once more
    assertThat(fleet.take(node, "user", 10, 0).effectiveCount()).isEqualTo(7 + 1);
    assertThat(fleet.failed).isEmpty();
  }

  @Test
  void callerThatMayNotWaitIsAnsweredAtOnce() {
    fleet.origin.hold();
    CompletableFuture<Decision> decision = takeWithin(Duration.ZERO);
    assertThat(decision).isDone();
    assertThat(decision.join().degraded()).isTrue();
    assertThat(fleet.origin.reads()).hasSize(1);
  }

  @Test
  void answerInTimeIsUsedHoweverShortTheWait() {
    fleet.peerCounts(fleet.cell("user"), 7);
    Decision decision = takeWithin(Duration.ZERO).join();
    assertThat(decision.effectiveCount()).isEqualTo(7 + 1);
    assertThat(decision.degraded()).isFalse();
  }

  @Test
  void noCallerWaitsForMoreThan300Milliseconds() {
    fleet.origin.hold();
    CompletableFuture<Decision> decision = takeWithin(Duration.ofDays(1));
    fleet.time.advance(Duration.ofMillis(300));
    assertThat(decision).isDone();
  }

  @Test
  void requestThatWaitsForItsLimitWaitsForTheOriginToo() {
    fleet.peerCounts(fleet.cell("user"), 10);
    fleet.origin.hold();
    CompletableFuture<Boolean> admitted =
        node.acquireAsync(fleet.request("user", 10, 1), Duration.ofMinutes(5));
    assertThat(admitted).isNotDone();
    fleet.origin.release();
    assertThat(admitted).isNotDone(); // the peers have used up the limit
    fleet.time.advance(Duration.ofMinutes(2));
    assertThat(admitted).isCompletedWithValue(true);
  }

  @Test
  void requestThatWaitsForItsLimitIsAdmittedFromMemoryIfTheOriginDoesNotAnswer() {
    fleet.origin.hold();
    CompletableFuture<Boolean> admitted =
        node.acquireAsync(fleet.request("user", 10, 1), Duration.ofMinutes(5));
    CompletableFuture<Boolean> inHaste =
        node.acquireAsync(fleet.request("other", 10, 1), Duration.ZERO);
    assertThat(inHaste).isCompletedWithValue(true);
    fleet.time.advance(Duration.ofMillis(300));
    assertThat(admitted).isCompletedWithValue(true);
  }

  @Test
  void requestThatIsCancelledDuringAReadDoesNotDelayTheNext() {
    fleet.peerCounts(fleet.cell("user"), 5);
    fleet.origin.hold();
    CompletableFuture<Boolean> first =
        node.acquireAsync(fleet.request("user", 10, 10), Duration.ofMinutes(5));
    CompletableFuture<Boolean> second =
        node.acquireAsync(fleet.request("user", 10, 1), Duration.ofMinutes(5));
    first.cancel(false);
    fleet.origin.release();
    fleet.tick();
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void callerOfABatchMayWaitForLess() {
    fleet.origin.hold();
    CompletableFuture<BatchDecision> decision = node.tryAcquireAllAsync(
            List.of(fleet.request("user", 10, 1), fleet.request("account", 10, 1)),
            fleet.time.millis(),
            Duration.ofMillis(15))
        .toCompletableFuture();
    fleet.time.advance(Duration.ofMillis(10));
    assertThat(decision).isNotDone();
    fleet.time.advance(Duration.ofMillis(10));
    assertThat(decision.join().allowed()).isTrue();
    assertThat(decision.join().decisions()).allMatch(Decision::degraded);
    fleet.origin.release();
    assertThat(fleet.take(node, "user", 10, 0).effectiveCount()).isEqualTo(1);
  }

  private CompletableFuture<Decision> takeWithin(Duration maxWait) {
    return node.tryAcquireAsync(fleet.request("user", 10, 1), fleet.time.millis(), maxWait)
        .toCompletableFuture();
  }

  @Test
  void blockedCallerReturnsEvenIfItsReadIsNeverEnded() {
    fleet.origin.hold(); // virtual time stands still
    Decision decision = fleet.take(node, "user", 10, 1);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.degraded()).isTrue();
  }

  @Test
  void interruptedCallerDecidesAtOnceAndStaysInterrupted() {
    fleet.origin.hold();
    Thread.currentThread().interrupt();
    assertThat(fleet.take(node, "user", 10, 1).degraded()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void answerThatIsTooLateForItsRequestIsStillMerged() {
    fleet.peerCounts(fleet.cell("user"), 7);
    fleet.origin.hold();
    CompletableFuture<Decision> decision = fleet.takeAsync(node, "user", 10, 1);
    fleet.time.advance(Duration.ofMillis(310));
    assertThat(decision.join().effectiveCount()).isEqualTo(1);
    fleet.origin.release();
    assertThat(fleet.take(node, "user", 10, 1).effectiveCount()).isEqualTo(7 + 1 + 1);
  }

  @Test
  void afterAFailedReadNoneIsTriedFor300Milliseconds() {
    fleet.breakOrigin();
    assertThat(fleet.take(node, "user", 1_000, 1).degraded()).isTrue();
    fleet.mendOrigin();
    fleet.peerCounts(fleet.cell("user"), 99);
    fleet.origin.clearCalls();
    fleet.origin.hold(); // else the replay's answer would bring the count
    fleet.time.advance(Duration.ofMillis(299));
    Decision early = fleet.take(node, "user", 1_000, 1);
    assertThat(early.effectiveCount()).isEqualTo(2);
    assertThat(early.degraded()).isTrue();
    assertThat(fleet.origin.reads()).isEmpty();
    fleet.origin.release();
    fleet.time.advance(Duration.ofMillis(1));
    Decision later = fleet.take(node, "user", 1_000, 1);
    assertThat(later.effectiveCount()).isEqualTo(99 + 3);
    assertThat(fleet.answered).containsOnlyOnce(OriginOperation.READ_COLD);
  }

  @Test
  void failedReadOfAStaleSeriesKeepsItsCounts() {
    fleet.peerCounts(fleet.cell("user"), 7);
    fleet.take(node, "user", 100, 0);
    fleet.time.advance(Duration.ofSeconds(5));
    fleet.breakOrigin();
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(7);
    fleet.mendOrigin();
    fleet.peerCounts(fleet.cell("user"), 99);
    fleet.time.advance(Duration.ofMillis(299));
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(7);
    fleet.time.advance(Duration.ofMillis(1));
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(99);
  }

  /** An outage costs a series one wait, however long it lasts. */
  @Test
  void noRequestWaitsForASeriesWhoseLastReadFailed() {
    fleet.origin.hold();
    CompletableFuture<Decision> first = fleet.takeAsync(node, "user", 1_000, 1);
    fleet.time.advance(Duration.ofMillis(300));
    assertThat(first).isDone();
    for (int i = 0; i < 100; i++) {
      fleet.time.advance(Duration.ofMillis(100));
      CompletableFuture<Decision> next = fleet.takeAsync(node, "user", 1_000, 1);
      assertThat(next).isDone();
      assertThat(next.join().degraded()).isTrue();
    }
    assertThat(fleet.origin.reads()).hasSizeBetween(10, 20); // it was retried in the background
  }

  /** Otherwise all but one of them would be decided from memory. */
  @Test
  void concurrentRequestsWaitForOneReadASecondAfterAFailure() {
    fleet.breakOrigin();
    assertThat(fleet.take(node, "user", 100, 1).degraded()).isTrue();
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(5));
    fleet.peerCounts(fleet.cell("user"), 99);
    fleet.origin.hold();
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      decisions.add(fleet.takeAsync(node, "user", 100, 1));
    }
    assertThat(decisions).noneMatch(CompletableFuture::isDone);
    fleet.origin.release();
    assertThat(decisions).noneMatch(decision -> decision.join().degraded());
    assertThat(decisions).noneMatch(decision -> decision.join().allowed());
  }

  @Test
  void noRequestWaitsForTheNextWindowsReadOnceThatOfTheLastWindowFailed() {
    fleet.time.advance(Duration.ofMillis(49_900)); // 00:59.9
    fleet.origin.hold();
    CompletableFuture<Decision> before = fleet.takeAsync(node, "user", 100, 1);
    fleet.time.advance(Duration.ofMillis(200)); // in the next window, which is read for itself
    CompletableFuture<Decision> after = fleet.takeAsync(node, "user", 100, 1);
    assertThat(after).isNotDone();
    fleet.time.advance(Duration.ofMillis(100));
    assertThat(before).isDone();
    assertThat(fleet.takeAsync(node, "user", 100, 1)).isDone();
  }

  @Test
  void breakerStopsReadsWhenMostFail() {
    fleet.breakOrigin();
    for (int i = 0; i < 200; i++) {
      assertThat(fleet.take(node, "user_" + i, 10, 1).allowed()).isTrue();
    }
    assertThat(fleet.origin.reads()).hasSize(20);
    assertThat(fleet.failed).contains(CallFailure.OTHER, CallFailure.CIRCUIT_OPEN);
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofMillis(5_001));
    assertThat(fleet.take(node, "later", 10, 1).degraded()).isFalse();
  }

  @Test
  void closeEndsWaits() {
    fleet.origin.hold();
    CompletableFuture<Decision> decision = fleet.takeAsync(node, "user", 10, 1);
    node.close();
    assertThat(decision).isDone();
    assertThat(decision.join().degraded()).isTrue();
  }

  @Test
  void concurrentRequestsForASeriesWaitForOneRead() {
    fleet.peerCounts(fleet.cell("user"), 10);
    fleet.origin.hold();
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      decisions.add(fleet.takeAsync(node, "user", 100, 0));
    }
    assertThat(decisions).noneMatch(CompletableFuture::isDone);
    fleet.origin.release();
    assertThat(decisions).allMatch(decision -> decision.join().effectiveCount() == 10);
    assertThat(fleet.origin.reads()).hasSize(1);
  }

  @Test
  void requestsForOtherSeriesDoNotWait() {
    fleet.take(node, "warm", 10, 1);
    fleet.origin.hold();
    assertThat(fleet.takeAsync(node, "cold", 10, 1)).isNotDone();
    assertThat(fleet.takeAsync(node, "warm", 10, 1)).isDone();
  }
}
