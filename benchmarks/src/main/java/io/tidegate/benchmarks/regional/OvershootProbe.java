package io.tidegate.benchmarks;

import io.tidegate.benchmarks.RegionalFigures.Burst;
import io.tidegate.benchmarks.RegionalFigures.Pace;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;

/** Uses up a limit at all nodes at once, and counts how much more than that they accept. */
record RegionalBurst(RedisServer redis, RegionalSettings settings) {

  /** Counts only grow within a cell, so one denial would do. */
  private static final int DENIALS = 100;

  private static final int TIMES_LIMIT = 10;

  List<Burst> measure(RegionalContender contender, int round) {
    List<Burst> bursts = new ArrayList<>();
    try (RegionalNodes nodes = new RegionalNodes(contender, redis, RegionalSettings.SCANT)) {
      for (Pace pace : Pace.values()) {
        for (int i = 0; i < settings.bursts(); i++) {
          String identifier = pace + "-" + i;
          long accepted = nodes.together((node, number) -> switch (pace) {
            case HAMMERED -> hammer(node, identifier);
            case PACED -> pace(node, identifier);
          });
          bursts.add(new Burst(
              contender, pace, round, (double) accepted / RegionalSettings.SCANT.tokens()));
        }
      }
    }
    return bursts;
  }

  private static long hammer(RegionalLimiter node, String identifier) {
    long accepted = 0;
    for (int denials = 0; denials < DENIALS; ) {
      if (node.allow(identifier)) {
        accepted++;
      } else {
        denials++;
      }
    }
    return accepted;
  }

  private static long pace(RegionalLimiter node, String identifier) {
    int requests = TIMES_LIMIT * (int) RegionalSettings.SCANT.tokens() / RegionalNodes.COUNT;
    Pacer pacer = new Pacer(requests);
    long accepted = 0;
    for (int i = 0; i < requests; i++) {
      pacer.awaitTurn();
      accepted += node.allow(identifier) ? 1 : 0;
    }
    return accepted;
  }
}
