package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An origin that loses counts receives them again from the nodes. */
class HealingTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();
  private final RateLimiter other = fleet.node();

  @Test
  void countsOfIdleSeriesAreSentAgainWithinASecond() {
    for (int i = 0; i < 1_000; i++) {
      fleet.take(node, "user_" + i, 100, 3);
      fleet.take(other, "user_" + i, 100, 4);
    }
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.origin.loseCounts();
    fleet.time.advance(Duration.ofSeconds(1)); // without any request
    for (int i = 0; i < 1_000; i++) {
      assertThat(fleet.total("user_" + i)).as("user_%d", i).isEqualTo(7);
    }
  }

  @Test
  void countsOfManySeriesAreSentAgainOnceAtASteadyPace() {
    int series = 25_000;
    for (int i = 0; i < series; i++) {
      fleet.take(node, "user_" + i, 100, 3);
    }
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.origin.loseCounts();
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.replays()).hasSizeBetween(5_000, 10_100);
    fleet.time.advance(Duration.ofSeconds(9));
    assertThat(fleet.origin.replays()).hasSize(series);
    for (int i = 0; i < series; i++) {
      assertThat(fleet.total("user_" + i)).as("user_%d", i).isEqualTo(3);
    }
  }

  @Test
  void countsOfThePreviousCellAreSentAgainToo() {
    fleet.take(node, "user", 100, 3);
    WindowCell ending = fleet.cell("user");
    fleet.time.advance(Duration.ofSeconds(55));
    fleet.take(node, "user", 100, 2);
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.loseCounts();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.total("eu", ending)).isEqualTo(3);
    assertThat(fleet.total("user")).isEqualTo(2);
  }

  @Test
  void lostCountsOfADeadNodeAreKeptAndCauseNoReplays() {
    fleet.peerCounts(fleet.cell("user"), 50); // by a node that has crashed
    fleet.take(node, "user", 100, 1);
    fleet.tick();
    fleet.origin.loseCounts();
    fleet.time.advance(Duration.ofSeconds(2));
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(51);
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(4));
    assertThat(fleet.origin.replays()).isEmpty(); // sent once only
  }

  @Test
  void lossDuringAnOutageIsDetected() {
    fleet.take(node, "user", 100, 3);
    fleet.tick();
    fleet.breakOrigin();
    fleet.origin.loseCounts();
    fleet.time.advance(Duration.ofSeconds(10));
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.total("user")).isEqualTo(3);
  }

  @Test
  void lossChecksCostFewReads() {
    for (int i = 0; i < 1_000; i++) {
      fleet.take(node, "user_" + i, 100, 3);
    }
    other.close();
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(10));
    assertThat(fleet.origin.reads()).hasSizeBetween(390, 400);
    assertThat(List.copyOf(fleet.origin.replays())).isEmpty();
  }

  /** One master of a cluster may have lost its counts while there are no requests. */
  @Test
  void lossChecksReadAllSeriesInTurn() {
    RateLimiter daily = fleet.node();
    for (int i = 0; i < 1_000; i++) {
      daily.tryAcquire(LimitRequest.of("acme", "login", "user_" + i, Limit.perDay(10)));
    }
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(30));
    assertThat(Set.copyOf(fleet.origin.reads())).hasSize(1_000);
  }

  /** Reading a series must not keep it alive. */
  @Test
  void lossChecksDoNotKeepIdleSeriesInMemory() {
    fleet.take(node, "user", 100, 3);
    fleet.time.advance(Duration.ofMinutes(10));
    assertThat(node.stats().series()).isZero();
  }

  @Test
  void lossIsDetectedWhenAllSeriesAreIdleSinceTheirWindowEnded() {
    fleet.take(node, "user", 100, 90);
    WindowCell ended = fleet.cell("user");
    fleet.time.advance(Duration.ofSeconds(55)); // 5 s into the next
    fleet.origin.loseCounts();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.total("eu", ended)).isEqualTo(90);
  }

  /** An origin that evicts keys because it is out of memory does not recover by more writes. */
  @Test
  void originThatKeepsLosingCountsGetsLongerPauses() {
    other.close();
    for (int i = 0; i < 100; i++) {
      fleet.take(node, "user_" + i, 100, 1);
    }
    fleet.tick();
    fleet.origin.clearCalls();
    for (int i = 0; i < 320; i++) {
      fleet.origin.loseCounts();
      fleet.time.advance(Duration.ofMillis(100));
    }
    // after 0, 2, 6, 14, 22 and 30 seconds
    assertThat(fleet.origin.replays()).hasSizeBetween(500, 700);
  }
}
