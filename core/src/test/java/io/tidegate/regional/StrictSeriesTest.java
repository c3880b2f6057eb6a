package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Strict mode and batches of series that other nodes count too. */
class StrictSeriesTest {

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();

  @Test
  void denialMakesTheNextRequestReadTheOrigin() {
    fleet.take(node, "user", 1, 1);
    fleet.take(node, "user", 1, 1); // denied
    fleet.peerCounts(fleet.cell("user"), 999);
    fleet.peerCounts(fleet.cell("user").previous(), 999);
    Decision next = fleet.take(node, "user", 10_000, 1);
    assertThat(next.effectiveCount()).isEqualTo(1 + 999 + 999 * 50 / 60 + 1);
    assertThat(next.source()).isEqualTo(Decision.Source.ORIGIN);
    assertThat(fleet.answered).endsWith(OriginOperation.READ_STRICT);
  }

  @Test
  void everyRequestReadsUntilTheDeadline() {
    fleet.take(node, "user", 1, 1);
    fleet.take(node, "user", 1, 1);
    fleet.origin.clearCalls();
    for (int i = 0; i < 5; i++) {
      fleet.take(node, "user", 1_000, 1);
    }
    assertThat(fleet.origin.reads()).hasSize(5);
  }

  @Test
  void lastsIntoTheNextWindowAndEndsThere() {
    fleet.time.advance(Duration.ofSeconds(40)); // 00:50
    fleet.take(node, "user", 1, 1);
    fleet.take(node, "user", 1, 1); // denied, so strict until 01:50
    fleet.time.advance(Duration.ofSeconds(20)); // 01:10, in a new cell
    fleet.take(node, "user", 100, 1); // cold: would read the origin anyway
    fleet.origin.clearCalls();
    fleet.take(node, "user", 100, 1); // warm: reads only because of strict mode
    assertThat(fleet.origin.reads()).hasSize(1);
    fleet.time.advance(Duration.ofSeconds(40)); // 01:50
    fleet.take(node, "user", 100, 1); // stale
    fleet.origin.clearCalls();
    assertThat(fleet.take(node, "user", 100, 1).source()).isEqualTo(Decision.Source.LOCAL);
    assertThat(fleet.origin.reads()).isEmpty();
  }

  @Test
  void deniedEntriesOfABatchSetIt() {
    fleet.take(node, "full", 1, 1);
    fleet.take(node, "roomy", 10, 1);
    node.tryAcquireAll(List.of(fleet.request("full", 1, 1), fleet.request("roomy", 10, 1)));
    fleet.origin.clearCalls();
    fleet.take(node, "roomy", 10, 1);
    assertThat(fleet.origin.reads()).isEmpty();
    fleet.take(node, "full", 10, 1);
    assertThat(fleet.origin.reads()).containsExactly(fleet.cell("full"));
  }

  @Test
  void nodesShareALimitOnceOneHasDenied() {
    RateLimiter other = fleet.node();
    int accepted = 0;
    for (int i = 0; i < 300; i++) {
      accepted += fleet.take(node, "user", 100, 1).allowed() ? 1 : 0;
      accepted += fleet.take(other, "user", 100, 1).allowed() ? 1 : 0;
      fleet.tick();
    }
    assertThat(accepted).isBetween(100, 101); // one of them is a tick behind
  }

  @Test
  void batchReadsEachUnsureSeriesOnceAndTogether() {
    fleet.peerCounts(fleet.cell("a"), 3);
    fleet.peerCounts(fleet.cell("b"), 4);
    fleet.origin.hold();
    CompletableFuture<BatchDecision> batch = node.tryAcquireAllAsync(List.of(
            fleet.request("a", 10, 1), fleet.request("b", 10, 1), fleet.request("a", 10, 1)))
        .toCompletableFuture();
    assertThat(batch).isNotDone();
    assertThat(fleet.origin.reads()).containsExactly(fleet.cell("a"), fleet.cell("b"));
    fleet.origin.release();
    assertThat(batch.join().allowed()).isTrue();
    assertThat(batch.join().decisions())
        .extracting(Decision::remaining)
        .containsExactly(6L, 5L, 5L);
    assertThat(batch.join().decisions())
        .allMatch(decision -> decision.source() == Decision.Source.ORIGIN);
  }

  @Test
  void batchWithACertainDenialNeedsNoRead() {
    fleet.take(node, "full", 1, 1);
    fleet.origin.clearCalls();
    BatchDecision batch =
        node.tryAcquireAll(List.of(fleet.request("unseen", 10, 1), fleet.request("full", 1, 1)));
    assertThat(batch.allowed()).isFalse();
    assertThat(fleet.origin.reads()).isEmpty();
  }

  @Test
  void batchWithADeadOriginIsDecidedInTimeAndMarked() {
    fleet.take(node, "warm", 10, 1);
    fleet.origin.hold();
    CompletableFuture<BatchDecision> batch = node.tryAcquireAllAsync(
            List.of(fleet.request("cold", 10, 1), fleet.request("warm", 10, 1)))
        .toCompletableFuture();
    fleet.time.advance(Duration.ofMillis(300));
    assertThat(batch.join().allowed()).isTrue();
    assertThat(batch.join().decisions())
        .extracting(Decision::degraded)
        .containsExactly(true, false);
  }

  @Test
  void blockedBatchReturnsEvenIfItsReadsAreNeverEnded() {
    fleet.origin.hold();
    BatchDecision batch = node.tryAcquireAll(List.of(fleet.request("cold", 10, 1)));
    assertThat(batch.allowed()).isTrue();
    assertThat(batch.decisions().get(0).degraded()).isTrue();
  }

  /** Two windows over one identifier, as a daily and an hourly cap. */
  @Test
  void longWindowsWithLittleTraffic() {
    Scope day = new Scope("acme", "calls", 86_400_000);
    Scope hour = new Scope("acme", "calls", 3_600_000);
    LimitRequest dayRequest = new LimitRequest(day, "user", 10, 0);
    LimitRequest hourRequest = new LimitRequest(hour, "user", 20, 0);
    BatchDecision looked = node.tryAcquireAll(List.of(dayRequest, hourRequest));
    assertThat(looked.decisions()).extracting(Decision::remaining).containsExactly(10L, 20L);
    for (Scope scope : List.of(day, hour)) {
      fleet.peerCounts(WindowCell.at(new Series(scope, "user"), fleet.time.millis()), 8);
    }
    fleet.time.advance(Duration.ofMinutes(10));
    BatchDecision later = node.tryAcquireAll(List.of(dayRequest, hourRequest));
    assertThat(later.decisions()).extracting(Decision::remaining).containsExactly(2L, 12L);
    BatchDecision denied =
        node.tryAcquireAll(List.of(dayRequest.withCost(3), hourRequest.withCost(3)));
    assertThat(denied.decisions()).extracting(Decision::allowed).containsExactly(false, true);
    assertThat(denied.decisions()).extracting(Decision::remaining).containsExactly(0L, 12L);
  }
}
