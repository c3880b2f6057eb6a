package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Pacer;
import io.tidegate.benchmarks.regional.Contender.Node;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;

/** Requests more than a limit from all nodes at once, and counts the admitted tokens. */
record OvershootProbe(RedisServer redis, Settings settings) {

  /** Denials that end an unthrottled trial; one would do, as counts only grow within a cell. */
  private static final int DENIALS = 100;

  private static final int TIMES_LIMIT = 10;

  List<Overshoot> measure(Contender contender, int round) {
    List<Overshoot> overshoots = new ArrayList<>();
    try (Nodes nodes = new Nodes(contender, redis, Settings.SCANT)) {
      double limit = Settings.SCANT.tokens();
      for (int i = 0; i < settings.bursts(); i++) {
        String one = "unthrottled-" + i;
        String other = "paced-" + i;
        double unthrottled = nodes.together((node, number) -> unthrottled(node, one)) / limit;
        double paced = nodes.together((node, number) -> paced(node, other)) / limit;
        overshoots.add(new Overshoot(contender, round, unthrottled, paced));
      }
    }
    return overshoots;
  }

  private static long unthrottled(Node node, String identifier) {
    long admitted = 0;
    for (int denials = 0; denials < DENIALS; ) {
      if (node.allow(identifier)) {
        admitted++;
      } else {
        denials++;
      }
    }
    return admitted;
  }

  private static long paced(Node node, String identifier) {
    int requests = TIMES_LIMIT * (int) Settings.SCANT.tokens() / Nodes.COUNT;
    Pacer pacer = new Pacer(requests);
    long admitted = 0;
    for (int i = 0; i < requests; i++) {
      pacer.awaitTurn();
      admitted += node.allow(identifier) ? 1 : 0;
    }
    return admitted;
  }
}
