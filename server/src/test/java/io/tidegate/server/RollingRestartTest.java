package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fleet of which one node after the other is replaced while it is asked. */
@Timeout(300)
class RollingRestartTest {

  /** Balancers notice within some 0.2 s; the rest is for a machine that is busy. */
  private static final Duration STOP_DELAY = Duration.ofSeconds(2);

  /**
   * How long a node may take to end: the delay, 2 s each for Redis and the database, and the rest
   * for a machine that is busy.
   */
  private static final Duration END = STOP_DELAY.plusSeconds(14);

  @Test
  void noRequestFailsAndEverythingIsCounted() {
    try (Fleet fleet = Fleet.start("--stop-delay=" + STOP_DELAY.toMillis() + "ms");
        Balancer balancer = new Balancer(fleet.client(), fleet.all().toList());
        Load load = new Load("rolling")) {
      for (int i = 0; i < 4; i++) {
        load.add(balancer);
      }
      for (String region : List.of(Fleet.HERE, Fleet.ABROAD)) {
        for (NodeProcess old : List.copyOf(fleet.nodes(region))) {
          replace(fleet, balancer, region, old);
        }
      }
      load.stop();
      load.awaitCounts(fleet);
      fleet.all().forEach(node -> assertThat(node.complaints()).isEmpty());
    }
  }

  /** The new node starts while the old one ends. */
  private static void replace(Fleet fleet, Balancer balancer, String region, NodeProcess old) {
    NodeProcess fresh = fleet.launch(region);
    long asked = System.nanoTime();
    old.terminate();
    assertThat(old.exitCode()).as(old::toString).isZero();
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isBetween(STOP_DELAY, END);
    assertThat(old.complaints()).isEmpty();
    balancer.remove(old);
    balancer.add(fresh.awaitStart());
    fresh.await("requests", () -> balancer.sendsTo(fresh));
    fleet.replace(region, old, fresh);
  }
}
