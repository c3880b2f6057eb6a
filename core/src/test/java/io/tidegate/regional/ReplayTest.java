package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.OwnCount;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which counts are sent to the origin, when, and what happens when it fails. */
class ReplayTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();

  @Test
  void oneMessagePerChangedCellAndTickHoweverManyRequests() {
    for (int i = 0; i < 1_000; i++) {
      fleet.take(node, "a", 10_000, 1);
      fleet.take(node, "b", 10_000, 2);
    }
    fleet.tick();
    assertThat(fleet.origin.replays()).extracting(OwnCount::count).containsExactly(1_000L, 2_000L);
    fleet.take(node, "a", 10_000, 1);
    fleet.tick();
    assertThat(fleet.origin.replays()).hasSize(3);
    assertThat(fleet.origin.replays().get(2).count()).isEqualTo(1_001);
  }

  @Test
  void nothingIsSentWithoutChange() {
    fleet.take(node, "user", 10, 1);
    fleet.take(node, "user", 10, 0);
    fleet.take(node, "user", 10, 50); // denied
    fleet.tick();
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(10));
    assertThat(fleet.origin.replays()).isEmpty();
    assertThat(node.stats().unconfirmedSeries()).isZero();
  }

  @Test
  void batchesAreReplayed() {
    node.tryAcquireAll(List.of(fleet.request("a", 10, 2), fleet.request("b", 10, 3)));
    node.tryAcquireAll(List.of(fleet.request("a", 10, 2), fleet.request("b", 10, 9))); // denied
    fleet.tick();
    assertThat(fleet.total("a")).isEqualTo(2);
    assertThat(fleet.total("b")).isEqualTo(3);
  }

  @Test
  void answersCarryPeersCounts() {
    RateLimiter other = fleet.node();
    fleet.take(node, "user", 100, 7);
    fleet.take(other, "user", 100, 5); // before anything was replayed
    fleet.tick();
    fleet.take(node, "user", 100, 1);
    fleet.tick(); // the answer carries the 5
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(13);
  }

  @Test
  void everyNodeHasAllCountsOnceItsAnswersAreStale() {
    List<RateLimiter> nodes = List.of(node, fleet.node(), fleet.node(), fleet.node(), fleet.node());
    for (int i = 0; i < 100; i++) {
      fleet.take(nodes.get(i % 5), "user", 10_000, i);
      fleet.time.advance(Duration.ofMillis(7));
    }
    fleet.time.advance(Duration.ofSeconds(5));
    for (RateLimiter each : nodes) {
      assertThat(fleet.take(each, "user", 10_000, 0).effectiveCount()).isEqualTo(99 * 100 / 2);
    }
  }

  @Test
  void countStaysUnconfirmedUntilTheOriginAnswers() {
    fleet.take(node, "user", 100, 1);
    fleet.breakOrigin();
    fleet.tick();
    fleet.take(node, "user", 100, 4);
    fleet.time.advance(Duration.ofSeconds(3));
    assertThat(node.stats().unconfirmedSeries()).isEqualTo(1);
    assertThat(fleet.total("user")).isZero();
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofMillis(900));
    assertThat(fleet.total("user")).isEqualTo(5);
    assertThat(node.stats().unconfirmedSeries()).isZero();
  }

  @Test
  void failedMessageIsNotRepeatedAtEveryTick() {
    fleet.breakOrigin();
    fleet.take(node, "user", 100, 1);
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(3));
    assertThat(fleet.origin.replays()).hasSizeBetween(5, 10); // each 300 ms
  }

  /** The reference system lost such a message, or counted it twice. */
  @Test
  void messageThatTimedOutAndWasAppliedLaterCountsOnce() {
    fleet.take(node, "user", 100, 1);
    fleet.tick();
    fleet.origin.hold();
    fleet.take(node, "user", 100, 4);
    fleet.time.advance(Duration.ofSeconds(5)); // it is sent again and again
    assertThat(fleet.failed).contains(CallFailure.TIMEOUT);
    assertThat(fleet.origin.replays().size()).isGreaterThan(3);
    assertThat(fleet.total("user")).isEqualTo(1);
    fleet.origin.release(); // now all of them arrive
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.total("user")).isEqualTo(5);
    assertThat(node.stats().unconfirmedSeries()).isZero();
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(5);
  }

  @Test
  void oneMessageOfASeriesIsUnderWayAtATime() {
    fleet.take(node, "user", 100, 1);
    fleet.origin.hold();
    fleet.origin.clearCalls();
    for (int i = 0; i < 50; i++) {
      fleet.take(node, "user", 100, 1);
      fleet.tick();
    }
    assertThat(fleet.origin.replays()).hasSize(1);
    fleet.origin.release();
    fleet.tick();
    assertThat(fleet.origin.replays()).hasSize(2);
    assertThat(fleet.total("user")).isEqualTo(51);
  }

  @Test
  void countOfTheEndedCellIsSentAfterTheRotation() {
    fleet.time.advance(Duration.ofMillis(49_999)); // the cell's last millisecond
    WindowCell ending = fleet.cell("user");
    fleet.take(node, "user", 100, 3);
    fleet.time.advance(Duration.ofMillis(1));
    fleet.take(node, "user", 100, 4);
    fleet.tick();
    assertThat(fleet.origin.total("eu", ending)).isEqualTo(3);
    assertThat(fleet.total("user")).isEqualTo(4);
  }

  @Test
  void cellThatLeftTheSeriesUnconfirmedIsSentOnceTheOriginIsBack() {
    fleet.breakOrigin();
    WindowCell first = fleet.cell("user");
    fleet.take(node, "user", 100, 3);
    fleet.time.advance(Duration.ofMinutes(1));
    WindowCell second = fleet.cell("user");
    fleet.take(node, "user", 100, 4);
    fleet.time.advance(Duration.ofMinutes(1));
    fleet.take(node, "user", 100, 5); // the first one leaves the series
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.total("eu", first)).isEqualTo(3);
    assertThat(fleet.origin.total("eu", second)).isEqualTo(4);
    assertThat(fleet.total("user")).isEqualTo(5);
    assertThat(node.stats().unconfirmedSeries()).isZero();
    assertThat(node.stats().lostTokens()).isZero();
  }

  @Test
  void cellOfASeriesThatWasIdleForAWindowIsSent() {
    fleet.breakOrigin();
    WindowCell before = fleet.cell("user");
    fleet.take(node, "user", 100, 4);
    fleet.time.advance(Duration.ofSeconds(111)); // a cell has passed in between
    fleet.take(node, "user", 100, 5);
    assertThat(fleet.cell("user").sequence()).isEqualTo(before.sequence() + 2);
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofMillis(900));
    assertThat(fleet.origin.total("eu", before)).isEqualTo(4);
    assertThat(fleet.total("user")).isEqualTo(5);
  }

  @Test
  void countIsGivenUpAtTheEndOfItsCellsLifetime() {
    fleet.breakOrigin();
    fleet.take(node, "user", 100, 3);
    fleet.time.advance(Duration.ofSeconds(169)); // three windows after the cell began, less 1 s
    assertThat(node.stats().unconfirmedSeries()).isEqualTo(1);
    assertThat(node.stats().lostTokens()).isZero();
    fleet.mendOrigin();
    fleet.breakOrigin();
    fleet.time.advance(Duration.ofSeconds(3));
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(node.stats().unconfirmedSeries()).isZero();
    assertThat(node.stats().lostTokens()).isEqualTo(3);
  }

  @Test
  void evictedSeriesIsStillReplayed() {
    RateLimiter small = fleet.node(10);
    fleet.breakOrigin();
    for (int i = 0; i < 500; i++) {
      fleet.take(small, "user_" + i, 100, 3);
    }
    assertThat(small.stats().evictedSeries()).isEqualTo(490);
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(2));
    for (int i = 0; i < 500; i++) {
      assertThat(fleet.total("user_" + i)).as("user_%d", i).isEqualTo(3);
    }
    assertThat(small.stats().unconfirmedSeries()).isZero();
  }

  /** The origin holds the counts of the earlier incarnation under its own name. */
  @Test
  void evictedSeriesThatReturnsDoesNotOverwriteItsEarlierCount() {
    RateLimiter small = fleet.node(1);
    fleet.take(small, "user", 100, 50);
    fleet.tick();
    fleet.take(small, "other", 100, 1); // evicts it
    fleet.breakOrigin(); // so that it returns without a read
    fleet.take(small, "user", 100, 2);
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.total("user")).isEqualTo(52);
    assertThat(fleet.take(small, "user", 100, 0).effectiveCount()).isEqualTo(52);
  }

  @Test
  @SuppressWarnings("FutureReturnValueIgnored") // only their counts matter
  void callsAreOfBoundedSize() {
    fleet.origin.hold(); // the reads time out, and the replays accumulate
    IntStream.range(0, 20_000).parallel().forEach(i -> fleet.takeAsync(node, "user_" + i, 100, 1));
    fleet.time.advance(Duration.ofMillis(320));
    assertThat(fleet.origin.replays()).hasSize(16 * 500);
    fleet.origin.release();
    fleet.time.advance(Duration.ofSeconds(3));
    assertThat(IntStream.range(0, 20_000)).allMatch(i -> fleet.total("user_" + i) == 1);
  }

  @Test
  void closeFlushesPendingCounts() {
    fleet.take(node, "user", 100, 6);
    node.close();
    assertThat(fleet.total("user")).isEqualTo(6);
    assertThat(fleet.take(node, "user", 100, 1).allowed()).isTrue(); // from memory
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofMinutes(1));
    assertThat(fleet.take(node, "user", 100, 1).degraded()).isTrue();
    assertThat(fleet.origin.reads()).isEmpty();
  }

  @Test
  void closeDoesNotWaitForeverForADeadOrigin() {
    fleet.take(node, "user", 100, 6);
    fleet.origin.hold();
    node.close();
    assertThat(node.stats().unconfirmedSeries()).isEqualTo(1);
  }

  @Test
  void regionsDoNotShareCounts() {
    RateLimiter american = RateLimiter.builder()
        .clock(fleet.time)
        .scheduler(fleet.time)
        .region("us")
        .origin(fleet.origin)
        .build();
    fleet.take(node, "user", 10, 10);
    fleet.tick();
    assertThat(fleet.take(american, "user", 10, 1).remaining()).isEqualTo(9);
  }

  /** During an outage, the queue keeps at most twice the bound of series. */
  @Test
  void floodOfIdentifiersDuringAnOutageIsBounded() {
    RateLimiter small = fleet.node(1_000);
    fleet.breakOrigin();
    for (int i = 0; i < 50_000; i++) {
      fleet.take(small, "user_" + i, 100, 1);
      if (i % 100 == 0) {
        fleet.tick();
      }
    }
    fleet.tick();
    assertThat(small.stats().unconfirmedSeries()).isLessThanOrEqualTo(2_100);
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(2));
    long received =
        IntStream.range(0, 50_000).mapToLong(i -> fleet.total("user_" + i)).sum();
    assertThat(received).isGreaterThan(1_000);
    assertThat(received + small.stats().lostTokens()).isEqualTo(50_000);
  }

  @Test
  void closedLimiterQueuesNothing() {
    RateLimiter small = fleet.node(10);
    small.close();
    for (int i = 0; i < 1_000; i++) {
      fleet.take(small, "user_" + i % 20, 100, 1);
      fleet.time.advance(Duration.ofSeconds(30));
    }
    assertThat(small.stats().unconfirmedSeries()).isZero();
    small.close(); // a second time does no harm
  }

  /** Idle series are not queued, so they must not count as room for evicted ones. */
  @Test
  void evictedSeriesAreBoundedByThemselvesHoweverManyAreIdle() {
    RateLimiter small = fleet.node(2_000);
    for (int i = 0; i < 2_000; i++) {
      fleet.take(small, "idle_" + i, 100, 50);
    }
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(small.stats().unconfirmedSeries()).isZero();
    fleet.breakOrigin();
    for (int i = 0; i < 10_000; i++) {
      fleet.take(small, "sprayed_" + i, 100, 1);
      if (i % 100 == 0) {
        fleet.tick();
      }
    }
    assertThat(small.stats().unconfirmedSeries()).isLessThan(2_500); // 4,000 if idle ones count
    assertThat(small.stats().lostTokens()).isPositive();
  }
}
