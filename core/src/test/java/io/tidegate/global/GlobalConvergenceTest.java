package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryOrigin;
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
 * Random failures between nodes, origins and global counters: no node ever counts more than was
 * admitted, and all nodes converge to the admitted count after the failures end.
 */
class GlobalConvergenceTest {

  private static final int IDENTIFIERS = 3;
  private static final long LIMIT = 200;

  @Test
  void regionsConvergeToTheAdmittedCount() {
    Property.check(70, GlobalConvergenceTest::checkRegionsConverge);
  }

  private static void checkRegionsConverge(Generator random) {
    World world = new World();
    world.policy = PushPolicy.floor(0, Duration.ofSeconds(1)); // pushes everything
    List<InMemoryOrigin> origins = new ArrayList<>();
    List<RateLimiter> nodes = new ArrayList<>();
    for (int region = random.nextInt(3); region >= 0; region--) {
      InMemoryOrigin origin = new InMemoryOrigin();
      origins.add(origin);
      for (int node = random.nextInt(3); node >= 0; node--) {
        nodes.add(world.node("region_" + region, origin));
      }
    }
    Map<WindowCell, Long> admitted = new HashMap<>();
    List<CompletableFuture<Void>> requests = new ArrayList<>();
    for (int steps = random.sized(300); steps > 0; steps--) {
      disturb(world, origins.get(random.nextInt(origins.size())), random);
      String identifier = "user_" + random.nextInt(IDENTIFIERS);
      long cost = random.nextInt(4);
      requests.add(world
          .takeAsync(nodes.get(random.nextInt(nodes.size())), identifier, LIMIT, cost)
          .thenAccept(decision -> {
            if (decision.allowed() && cost > 0) {
              admitted.merge(world.cell(identifier, decision.resetAtMillis() - 1), cost, Long::sum);
            }
          }));
      checkNoNodeCountsTooMuch(world, nodes, admitted);
      world.time.advance(Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(3_000) : 20));
    }
    world.counters.fail(null);
    world.counters.release();
    origins.forEach(origin -> origin.fail(null));
    origins.forEach(InMemoryOrigin::release);
    world.time.advance(Duration.ofSeconds(20)); // ends all pauses, then a push and a pull
    assertThat(requests).allMatch(CompletableFuture::isDone).allSatisfy(CompletableFuture::join);
    for (int i = 0; i < IDENTIFIERS; i++) {
      for (RateLimiter node : nodes) {
        world.effective(node, "user_" + i); // reads the origin if the count is stale
        assertThat(world.effective(node, "user_" + i))
            .isEqualTo(effective(world, admitted, "user_" + i));
      }
    }
  }

  private static void disturb(World world, InMemoryOrigin origin, Random random) {
    RuntimeException broken = new IllegalStateException("broken by a test");
    switch (random.nextInt(40)) {
      case 0 -> world.counters.fail(broken);
      case 1 -> world.counters.failPullsAfter(random.nextInt(3), broken);
      case 2, 3 -> world.counters.fail(null);
      case 4 -> world.counters.hold();
      case 5, 6 -> world.counters.release();
      case 7 -> origin.fail(broken);
      case 8, 9 -> origin.fail(null);
      case 10 -> origin.hold();
      case 11, 12 -> origin.release();
      case 13 -> origin.loseCounts();
      default -> {
        // no change
      }
    }
  }

  private static void checkNoNodeCountsTooMuch(
      World world, List<RateLimiter> nodes, Map<WindowCell, Long> admitted) {
    for (int i = 0; i < IDENTIFIERS; i++) {
      String identifier = "user_" + i;
      long most = effective(world, admitted, identifier);
      for (RateLimiter node : nodes) {
        Decision decision = world.takeAsync(node, identifier, LIMIT, 0).getNow(null);
        if (decision != null) { // null while it waits for the origin
          assertThat(decision.effectiveCount()).isLessThanOrEqualTo(most);
        }
      }
    }
  }

  private static long effective(World world, Map<WindowCell, Long> admitted, String identifier) {
    WindowCell cell = world.cell(identifier);
    long elapsed = world.time.millis() - cell.startMillis();
    return admitted.getOrDefault(cell, 0L)
        + admitted.getOrDefault(cell.previous(), 0L) * (World.WINDOW - elapsed) / World.WINDOW;
  }
}
