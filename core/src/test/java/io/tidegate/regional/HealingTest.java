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

/** An origin that loses its memory gets it back from the nodes. */
class HealingTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();
  private final RateLimiter other = fleet.node();

  @Test
  void idleSeriesAreToldAgainWithinASecond() {
    for (int i = 0; i < 1_000; i++) {
      fleet.take(node, "user_" + i, 100, 3);
      fleet.take(other, "user_" + i, 100, 4);
    }
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.origin.forget();
    fleet.time.advance(Duration.ofSeconds(1)); // without any request
    for (int i = 0; i < 1_000; i++) {
      assertThat(fleet.total("user_" + i)).as("user_%d", i).isEqualTo(7);
    }
  }

  @Test
  void previousCellIsToldAgainToo() {
    fleet.take(node, "user", 100, 3);
    WindowCell ending = fleet.cell("user");
    fleet.time.advance(Duration.ofSeconds(55));
    fleet.take(node, "user", 100, 2);
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.forget();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.total("eu", ending)).isEqualTo(3);
    assertThat(fleet.total("user")).isEqualTo(2);
  }

  @Test
  void countsOfADeadNodeThatTheOriginLostAreStillKnownAndDisturbNobody() {
    fleet.peerCounts(fleet.cell("user"), 50); // by a node that is no more
    fleet.take(node, "user", 100, 1);
    fleet.tick();
    fleet.origin.forget();
    fleet.time.advance(Duration.ofSeconds(2));
    assertThat(fleet.take(node, "user", 100, 0).effectiveCount()).isEqualTo(51);
    fleet.origin.forgetCalls();
    fleet.time.advance(Duration.ofSeconds(4));
    assertThat(fleet.origin.replays()).isEmpty(); // told once, and not for ever
  }

  @Test
  void isNoticedInAnOutageThatTheOriginDidNotSurvive() {
    fleet.take(node, "user", 100, 3);
    fleet.tick();
    fleet.breakOrigin();
    fleet.origin.forget();
    fleet.time.advance(Duration.ofSeconds(10));
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.total("user")).isEqualTo(3);
  }

  @Test
  void watchingOutCostsFewReads() {
    for (int i = 0; i < 1_000; i++) {
      fleet.take(node, "user_" + i, 100, 3);
    }
    other.close();
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.forgetCalls();
    fleet.time.advance(Duration.ofSeconds(10));
    assertThat(fleet.origin.reads()).hasSizeBetween(390, 400);
    assertThat(List.copyOf(fleet.origin.replays())).isEmpty();
  }

  /** As when one master of a cluster has lost its memory, and nothing is asked for. */
  @Test
  void allSeriesAreReadInTheirTurn() {
    RateLimiter daily = fleet.node();
    for (int i = 0; i < 1_000; i++) {
      daily.tryAcquire(LimitRequest.of("acme", "login", "user_" + i, Limit.perDay(10)));
    }
    fleet.time.advance(Duration.ofSeconds(1));
    fleet.origin.forgetCalls();
    fleet.time.advance(Duration.ofSeconds(30));
    assertThat(Set.copyOf(fleet.origin.reads())).hasSize(1_000);
  }

  /** Reading a series must not keep it alive. */
  @Test
  void watchingOutDoesNotKeepIdleSeriesInMemory() {
    fleet.take(node, "user", 100, 3);
    fleet.time.advance(Duration.ofMinutes(10));
    assertThat(node.stats().series()).isZero();
  }

  @Test
  void isNoticedWhenAllSeriesAreIdleSinceTheirWindowEnded() {
    fleet.take(node, "user", 100, 90);
    WindowCell ended = fleet.cell("user");
    fleet.time.advance(Duration.ofSeconds(55)); // 5 s into the next
    fleet.origin.forget();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.origin.total("eu", ended)).isEqualTo(90);
  }

  /** As one does that evicts keys for want of memory: being told all again makes it no better. */
  @Test
  void originThatKeepsForgettingIsPressedLessAndLess() {
    other.close();
    for (int i = 0; i < 100; i++) {
      fleet.take(node, "user_" + i, 100, 1);
    }
    fleet.tick();
    fleet.origin.forgetCalls();
    for (int i = 0; i < 320; i++) {
      fleet.origin.forget();
      fleet.time.advance(Duration.ofMillis(100));
    }
    // after 0, 2, 6, 14, 22 and 30 seconds
    assertThat(fleet.origin.replays()).hasSizeBetween(500, 700);
  }
}
