package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import java.util.List;

/** Nodes do not hold more than they may. */
final class Memory {

  private final Plan plan;
  private final Verdicts verdicts;

  Memory(Plan plan, Verdicts verdicts) {
    this.plan = plan;
    this.verdicts = verdicts;
  }

  /** A batch may exceed the bound by all of it, until the next series comes. */
  void check(List<Node> nodes) {
    for (Node node : nodes) {
      long series = node.limiter().stats().series();
      verdicts.require(
          series <= plan.maxSeries() + Traffic.LONGEST_BATCH,
          "memory is bounded",
          "%s has %d series, of %d at most",
          node,
          series,
          plan.maxSeries());
    }
  }
}
