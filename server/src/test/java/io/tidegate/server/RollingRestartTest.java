package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replaces the nodes of a fleet one after the other under load. */
@Timeout(300)
class RollingRestartTest {

  /** The balancer notices within about 0.2 s; the rest allows for a busy machine. */
  private static final Duration STOP_DELAY = Duration.ofSeconds(2);

  /**
   * Bound of the time until a node exits: the delay, 2 s each for Redis and the database; the rest
   * allows for a busy machine.
   */
  private static final Duration EXIT_BOUND = STOP_DELAY.plusSeconds(14);

  @Test
  void noRequestFailsAndNoCountIsLost() {
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
      fleet.all().forEach(node -> assertThat(node.warnings()).isEmpty());
    }
  }

  /** Starts the new node while the old one stops. */
  private static void replace(Fleet fleet, Balancer balancer, String region, NodeProcess old) {
    NodeProcess fresh = fleet.launch(region);
    long began = System.nanoTime();
    old.terminate();
    assertThat(old.exitCode()).as(old::toString).isZero();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(STOP_DELAY, EXIT_BOUND);
    assertThat(old.warnings()).isEmpty();
    balancer.remove(old);
    balancer.add(fresh.awaitStart());
    fresh.await("requests", () -> balancer.sendsTo(fresh));
    fleet.replace(region, old, fresh);
  }
}
