package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Recorded costs on nodes that share their counts. */
class RecordedCostTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();

  private Decision record(String identifier, long limit, long cost) {
    return node.record(fleet.request(identifier, limit, cost));
  }

  private CompletableFuture<Decision> recordAsync(String identifier, long limit, long cost) {
    return node.recordAsync(
            fleet.request(identifier, limit, cost), fleet.time.millis(), Duration.ofMillis(300))
        .toCompletableFuture();
  }

  @Test
  void otherNodesReceiveTheWholeCost() {
    RateLimiter other = fleet.node();
    record("user", 100, 5_000);
    fleet.tick();
    assertThat(fleet.total("user")).isEqualTo(5_000);
    Decision decision = fleet.take(other, "user", 100, 1);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.effectiveCount()).isEqualTo(5_001);
  }

  @Test
  void decisionOnAnUnknownSeriesIncludesPeersCounts() {
    fleet.peerCounts(fleet.cell("user"), 70);
    Decision decision = record("user", 100, 40);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.effectiveCount()).isEqualTo(110);
    assertThat(decision.source()).isEqualTo(Decision.Source.ORIGIN);
  }

  @Test
  void costIsChargedBeforeTheOriginAnswers() {
    fleet.origin.hold();
    CompletableFuture<Decision> decision = recordAsync("user", 100, 40);
    assertThat(decision).isNotDone();
    assertThat(node.stats().unconfirmedSeries()).isEqualTo(1);
    fleet.origin.release();
    assertThat(decision.join().effectiveCount()).isEqualTo(40);
    fleet.tick();
    assertThat(fleet.total("user")).isEqualTo(40);
  }

  @Test
  void costIsNotLostWhileTheOriginFails() {
    fleet.breakOrigin();
    assertThat(record("user", 100, 40).degraded()).isTrue();
    assertThat(record("user", 100, 400).allowed()).isFalse();
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(2));
    assertThat(fleet.total("user")).isEqualTo(440);
  }

  @Test
  void requestsBeyondTheShareWaitAfterARecordedCost() {
    fleet.node();
    fleet.time.advance(Duration.ofSeconds(1)); // both know each other
    fleet.take(node, "user", 100, 1);
    fleet.tick();
    fleet.origin.hold();
    assertThat(recordAsync("user", 100, 40)).isDone();
    assertThat(fleet.takeAsync(node, "user", 100, 1)).isNotDone();
  }
}
