package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.WindowCell;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Random failures between nodes and origin: no node ever counts more than was admitted, and all
 * nodes converge to the admitted count after the failures end.
 */
class ConvergenceTest {

  private static final int IDENTIFIERS = 3;
  private static final long LIMIT = 200;

  @Test
  void nodesConvergeToTheAdmittedCount() {
    Property.check(120, ConvergenceTest::checkNodesConverge);
  }

  private static void checkNodesConverge(Generator random) {
    Fleet fleet = new Fleet();
    List<RateLimiter> nodes = new ArrayList<>();
    // Only the origin has the counts of evicted series, so a run has either losses or evictions.
    boolean losesCounts = random.nextBoolean();
    for (int i = random.nextInt(4); i >= 0; i--) {
      nodes.add(fleet.node(losesCounts ? 1_000 : 2));
    }
    Map<WindowCell, Long> admitted = new HashMap<>();
    List<CompletableFuture<Void>> requests = new ArrayList<>();
    for (int steps = random.sized(400); steps > 0; steps--) {
      disturb(fleet, random, losesCounts);
      String identifier = "user_" + random.nextInt(IDENTIFIERS);
      RateLimiter node = nodes.get(random.nextInt(nodes.size()));
      long cost = random.nextInt(4);
      requests.add(fleet.takeAsync(node, identifier, LIMIT, cost).thenAccept(decision -> {
        if (decision.allowed()) {
          admitted.merge(fleet.cell(identifier, decision.resetAtMillis() - 1), cost, Long::sum);
        }
      }));
      checkNoNodeCountsTooMuch(fleet, nodes, admitted);
      fleet.time.advance(Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(2_000) : 3));
    }
    fleet.mendOrigin();
    fleet.origin.release();
    fleet.time.advance(Duration.ofSeconds(10)); // ends all pauses, and makes every count stale
    assertThat(requests).allMatch(CompletableFuture::isDone).allSatisfy(CompletableFuture::join);
    for (int i = 0; i < IDENTIFIERS; i++) {
      String identifier = "user_" + i;
      long current = admitted.getOrDefault(fleet.cell(identifier), 0L);
      assertThat(fleet.total(identifier)).isEqualTo(current);
      for (RateLimiter node : nodes) {
        assertThat(effective(fleet, node, identifier))
            .isEqualTo(effective(fleet, admitted, identifier));
      }
    }
    assertThat(nodes).allMatch(node -> node.stats().unconfirmedSeries() == 0);
  }

  private static void disturb(Fleet fleet, Random random, boolean losesCounts) {
    switch (random.nextInt(25)) {
      case 0 -> fleet.breakOrigin();
      case 1, 2 -> fleet.mendOrigin();
      case 3 -> fleet.origin.hold();
      case 4, 5 -> fleet.origin.release();
      case 6 -> {
        if (losesCounts) {
          fleet.origin.loseCounts();
        }
      }
      default -> {
        // no change
      }
    }
  }

  private static void checkNoNodeCountsTooMuch(
      Fleet fleet, List<RateLimiter> nodes, Map<WindowCell, Long> admitted) {
    for (int i = 0; i < IDENTIFIERS; i++) {
      long most = effective(fleet, admitted, "user_" + i);
      for (RateLimiter node : nodes) {
        Decision decision = fleet.takeAsync(node, "user_" + i, LIMIT, 0).getNow(null);
        if (decision != null) {
          assertThat(decision.effectiveCount()).isLessThanOrEqualTo(most);
        }
      }
    }
  }

  /**
   * The count on a node after a read of the origin. The high limit keeps the first peek from
   * waiting for the read that it starts; the second peek sees the result.
   */
  private static long effective(Fleet fleet, RateLimiter node, String identifier) {
    fleet.take(node, identifier, 1_000_000, 0);
    return fleet.take(node, identifier, 1_000_000, 0).effectiveCount();
  }

  private static long effective(Fleet fleet, Map<WindowCell, Long> admitted, String identifier) {
    WindowCell cell = fleet.cell(identifier);
    long elapsed = Math.floorMod(fleet.time.millis(), Fleet.WINDOW);
    return admitted.getOrDefault(cell, 0L)
        + admitted.getOrDefault(cell.previous(), 0L) * (Fleet.WINDOW - elapsed) / Fleet.WINDOW;
  }
}
