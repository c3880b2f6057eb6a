package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How far limits hold in a fleet of two regions. */
@Timeout(180)
class FleetTest {

  private static final long LIMIT = 1_000;

  /**
   * How long a node may take to hear of what another of its region has accepted: 10 to 25 ms by
   * docs/operating.md, the rest is for a machine that is busy with other things.
   */
  private static final Duration WITHIN_A_REGION = Duration.ofMillis(500);

  /**
   * The same for other regions: "about a second later, and nearly always within two and a half".
   */
  private static final Duration ACROSS_REGIONS = Duration.ofSeconds(3);

  /** Of one request; the limit is a multiple of it, so that it can be used up. */
  private static final long COST = 5;

  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet = Fleet.start();
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  @Test
  void aLimitHoldsWithinARegion() {
    List<NodeProcess> nodes = fleet.nodes(Fleet.HERE);
    CompletableFuture<Long> slow = offer("twice in 8 s", nodes, 2, Duration.ofSeconds(8));
    CompletableFuture<Long> fast = offer("tenfold in 20 s", nodes, 10, Duration.ofSeconds(20));
    check(slow.join(), LIMIT * 2 / 8 * WITHIN_A_REGION.toMillis() / 1_000);
    check(fast.join(), LIMIT * 10 / 20 * WITHIN_A_REGION.toMillis() / 1_000);
  }

  /**
   * What all accept while it is told, and half of what was left before, which is again what all
   * accept in that time.
   */
  @Test
  void aLimitHoldsAcrossRegions() {
    List<NodeProcess> nodes = fleet.all().toList();
    CompletableFuture<Long> slow = offer("twice in 16 s", nodes, 2, Duration.ofSeconds(16));
    CompletableFuture<Long> fast = offer("tenfold in 60 s", nodes, 10, Duration.ofSeconds(60));
    long told = LIMIT * 2 / 16 * ACROSS_REGIONS.toMillis() / 1_000;
    check(slow.join(), told + told / 2);
    told = LIMIT * 10 / 60 * ACROSS_REGIONS.toMillis() / 1_000;
    check(fast.join(), told + told / 2);
  }

  private static void check(long accepted, long excess) {
    assertThat(accepted)
        .as("accepted of a limit of %d that may be exceeded by %d", LIMIT, excess)
        .isBetween(LIMIT, LIMIT + excess);
  }

  /**
   * Asks all nodes evenly for so many times the limit within such a time, until each has denied;
   * then it will deny for the rest of the window.
   */
  private static CompletableFuture<Long> offer(
      String identifier, List<NodeProcess> nodes, int times, Duration time) {
    Duration pause = time.multipliedBy(nodes.size() * COST).dividedBy(LIMIT * times);
    List<CompletableFuture<Long>> accepted = new ArrayList<>();
    for (NodeProcess node : nodes) {
      CompletableFuture<Long> ofNode = new CompletableFuture<>();
      accepted.add(ofNode);
      ofNode.completeAsync(
          () -> exhaust(node, identifier, pause), work -> new Thread(work, identifier).start());
    }
    return CompletableFuture.allOf(accepted.toArray(CompletableFuture[]::new))
        .thenApply(all -> accepted.stream().mapToLong(CompletableFuture::join).sum());
  }

  private static long exhaust(NodeProcess node, String identifier, Duration pause) {
    long accepted = 0;
    while (fleet.client().mustTake(node, identifier, LIMIT, COST).success()) {
      accepted += COST;
      NodeProcess.pause(pause);
    }
    return accepted;
  }
}
