package io.tidegate.simulator.chaos;

import io.tidegate.model.LimiterStats;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nodes do not hold more than they may, for long. */
final class Memory {

  /**
   * A batch may exceed the bound, until the next series comes or the next sweep, in five seconds.
   */
  private static final long LONGEST_NANOS = 6 * Plan.SECOND;

  /** So many evicted series are kept at least, while they cannot be told. */
  private static final int FEWEST_KEPT = 1_000;

  private final Plan plan;
  private final Timeline timeline;
  private final Verdicts verdicts;

  /** Since when nodes have had too much. */
  private final Map<Node, Long> exceeding = new HashMap<>();

  Memory(Plan plan, Timeline timeline, Verdicts verdicts) {
    this.plan = plan;
    this.timeline = timeline;
    this.verdicts = verdicts;
  }

  void check(List<Node> nodes) {
    for (Node node : nodes) {
      LimiterStats stats = node.limiter().stats();
      if (stats.series() <= plan.maxSeries()) {
        exceeding.remove(node);
      } else {
        exceeding.putIfAbsent(node, timeline.nowNanos());
      }
      long since = exceeding.getOrDefault(node, timeline.nowNanos());
      long untold = stats.unconfirmedSeries();
      verdicts.require(
          timeline.nowNanos() - since <= LONGEST_NANOS
              && untold <= 2 * plan.maxSeries() + FEWEST_KEPT,
          "memory is bounded",
          "%s has %d series, of %d at most, and keeps %d that are untold",
          node,
          stats.series(),
          plan.maxSeries(),
          untold);
    }
  }
}
