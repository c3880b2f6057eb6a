package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import java.util.List;

/** Nodes do not hold more than they may. */
final class MemoryCheck {

  private final Scenario plan;
  private final Violations violations;

  MemoryCheck(Scenario plan, Violations violations) {
    this.plan = plan;
    this.violations = violations;
  }

  /** A batch may exceed the bound by all of it, until the next series comes. */
  void check(List<Node> nodes) {
    for (Node node : nodes) {
      long series = node.limiter().stats().series();
      violations.require(
          series <= plan.maxSeries() + ChaosTraffic.LONGEST_BATCH,
          "memory is bounded",
          "%s has %d series, of %d at most",
          node,
          series,
          plan.maxSeries());
    }
  }
}
