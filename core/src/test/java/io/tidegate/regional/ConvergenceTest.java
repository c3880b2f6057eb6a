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
 * Whatever happens between nodes and origin: nobody ever knows more than the truth, and in the end
 * everybody knows all of it.
 */
class ConvergenceTest {

  private static final int IDENTIFIERS = 3;
  private static final long LIMIT = 200;

  @Test
  void nodesAgreeOnTheTruthInTheEnd() {
    Property.check(120, ConvergenceTest::checkNodesAgreeOnTheTruthInTheEnd);
  }

  private static void checkNodesAgreeOnTheTruthInTheEnd(Generator random) {
    Fleet fleet = new Fleet();
    List<RateLimiter> nodes = new ArrayList<>();
    boolean forgets = random.nextBoolean(); // what was evicted is nowhere else, so not both
    for (int i = random.nextInt(4); i >= 0; i--) {
      nodes.add(fleet.node(forgets ? 1_000 : 2));
    }
    Map<WindowCell, Long> truth = new HashMap<>();
    List<CompletableFuture<Void>> requests = new ArrayList<>();
    for (int steps = random.sized(400); steps > 0; steps--) {
      disturb(fleet, random, forgets);
      String identifier = "user_" + random.nextInt(IDENTIFIERS);
      RateLimiter node = nodes.get(random.nextInt(nodes.size()));
      long cost = random.nextInt(4);
      requests.add(fleet.takeAsync(node, identifier, LIMIT, cost).thenAccept(decision -> {
        if (decision.allowed()) {
          truth.merge(fleet.cell(identifier, decision.resetAtMillis() - 1), cost, Long::sum);
        }
      }));
      checkNobodyKnowsTooMuch(fleet, nodes, truth);
      fleet.time.advance(Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(2_000) : 3));
    }
    fleet.mendOrigin();
    fleet.origin.release();
    fleet.time.advance(Duration.ofSeconds(10)); // pauses, and then all answers are too old
    assertThat(requests).allMatch(CompletableFuture::isDone).allSatisfy(CompletableFuture::join);
    for (int i = 0; i < IDENTIFIERS; i++) {
      String identifier = "user_" + i;
      long current = truth.getOrDefault(fleet.cell(identifier), 0L);
      assertThat(fleet.total(identifier)).isEqualTo(current);
      for (RateLimiter node : nodes) {
        assertThat(effective(fleet, node, identifier))
            .isEqualTo(effective(fleet, truth, identifier));
      }
    }
    assertThat(nodes).allMatch(node -> node.stats().unconfirmedSeries() == 0);
  }

  private static void disturb(Fleet fleet, Random random, boolean forgets) {
    switch (random.nextInt(25)) {
      case 0 -> fleet.breakOrigin();
      case 1, 2 -> fleet.mendOrigin();
      case 3 -> fleet.origin.hold();
      case 4, 5 -> fleet.origin.release();
      case 6 -> {
        if (forgets) {
          fleet.origin.forget();
        }
      }
      default -> {
        // all as before
      }
    }
  }

  private static void checkNobodyKnowsTooMuch(
      Fleet fleet, List<RateLimiter> nodes, Map<WindowCell, Long> truth) {
    for (int i = 0; i < IDENTIFIERS; i++) {
      long most = effective(fleet, truth, "user_" + i);
      for (RateLimiter node : nodes) {
        Decision known = fleet.takeAsync(node, "user_" + i, LIMIT, 0).getNow(null);
        if (known != null) {
          assertThat(known.effectiveCount()).isLessThanOrEqualTo(most);
        }
      }
    }
  }

  /**
   * So far below the limit that the first look does not wait for what it asks, but the second has
   * it.
   */
  private static long effective(Fleet fleet, RateLimiter node, String identifier) {
    fleet.take(node, identifier, 1_000_000, 0);
    return fleet.take(node, identifier, 1_000_000, 0).effectiveCount();
  }

  private static long effective(Fleet fleet, Map<WindowCell, Long> truth, String identifier) {
    WindowCell cell = fleet.cell(identifier);
    long elapsed = Math.floorMod(fleet.time.millis(), Fleet.WINDOW);
    return truth.getOrDefault(cell, 0L)
        + truth.getOrDefault(cell.previous(), 0L) * (Fleet.WINDOW - elapsed) / Fleet.WINDOW;
  }
}
