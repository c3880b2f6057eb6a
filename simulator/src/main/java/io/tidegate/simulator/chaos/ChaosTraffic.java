package io.tidegate.simulator.chaos;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Sends random requests to the nodes, single ones and batches. */
final class ChaosTraffic {

  static final int LONGEST_BATCH = 5;
  private static final int REQUESTS_IN_LULL = 100; // approximately
  private static final int FILLERS_AT_ONCE = 10; // in each node, at the interval of FILL_NANOS
  private static final long FILL_NANOS = 10 * Scenario.MILLI;
  private static final long NEWCOMER_NANOS = 50 * Scenario.MILLI; // between two newcomers
  private static final int NEWCOMERS_BETWEEN = 8; // between two requests for the same newcomer

  private final Scenario scenario;
  private final World world;
  private final Cluster cluster;
  private final Referee referee;
  private final List<Scenario.Subject> busy;
  private final List<Scenario.Subject> rare;

  ChaosTraffic(RunContext run, Cluster cluster, Referee referee) {
    this.scenario = run.scenario;
    this.world = run.world;
    this.cluster = cluster;
    this.referee = referee;
    this.busy = scenario.busy();
    this.rare = scenario.rare();
  }

  void start() {
    sendFillers(0);
    sendNext();
    for (Fault fault : scenario.faults()) {
      if (fault.has(FaultTrait.ONE_PART) && scenario.newcomers() > 0) {
        world.timeline().at(fault.fromNanos(), () -> sendNewcomers(fault, 0));
      }
      if (fault.kind() == FaultKind.NODE_CRASHES) { // the node has counts in flight when it crashes
        long before = world.random().nextInt((int) (40 * Scenario.MILLI));
        world.timeline().at(fault.fromNanos() - before, () -> sendBeforeCrash(fault));
      }
    }
  }

  /** Sends one request for every filler to every node. */
  private void sendFillers(int from) {
    int until = Math.min(scenario.fillers(), from + FILLERS_AT_ONCE);
    for (Node node : cluster.running()) {
      for (int i = from; i < until; i++) {
        referee.send(node, List.of(single(Scenario.filler(i), Scenario.FILLER_LIMIT)));
      }
    }
    if (until < scenario.fillers()) {
      world.timeline().after(FILL_NANOS, () -> sendFillers(until));
    }
  }

  private static LimitRequest single(Series series, long limit) {
    return new LimitRequest(series.scope(), series.identifier(), limit, 1);
  }

  /**
   * While a part of an origin fails, uses one new series after another on all nodes of the region,
   * and each of them again. Series of healthy parts must not be affected.
   */
  private void sendNewcomers(Fault fault, int number) {
    for (Node node : cluster.nodes(fault.region())) {
      for (int again = number; again >= 0 && node.isRunning(); again -= NEWCOMERS_BETWEEN) {
        Series series = Scenario.newcomer(fault, again);
        referee.send(node, List.of(single(series, Scenario.NEWCOMER_LIMIT)));
      }
    }
    if (number + 1 < Scenario.NEWCOMERS) {
      world.timeline().after(NEWCOMER_NANOS, () -> sendNewcomers(fault, number + 1));
    }
  }

  private void sendBeforeCrash(Fault crash) {
    Node node = cluster.node(crash.region(), crash.node());
    for (int i = 0; i < 5 && node.isRunning(); i++) {
      referee.send(node, List.of(randomRequest(world.random())));
    }
  }

  private void sendNext() {
    Random random = world.random();
    Scenario.Lull lull = scenario.lull();
    if (lull != null && !lull.includes(world.timeline().nowNanos())) {
      lull = null;
    }
    List<Node> nodes = lull == null ? cluster.running() : nodeOf(lull);
    if (!nodes.isEmpty()) {
      Node node = nodes.get(random.nextInt(nodes.size()));
      int requests = random.nextInt(40) == 0 ? 1 + random.nextInt(30) : 1; // occasional bursts
      for (int i = 0; i < requests; i++) {
        sendRandom(node, random);
      }
    }
    long mean = lull == null
        ? Scenario.SECOND / scenario.requestsPerSecond()
        : lull.nanos() / REQUESTS_IN_LULL;
    long pause = (long) (-StrictMath.log(1 - random.nextDouble()) * mean);
    if (world.timeline().nowNanos() + pause < scenario.endNanos()) {
      world.timeline().after(pause, this::sendNext);
    }
  }

  /** The only node that receives requests in a lull, if it runs. */
  private List<Node> nodeOf(Scenario.Lull lull) {
    Node node = cluster.node(lull.region(), lull.node());
    return node.isRunning() ? List.of(node) : List.of();
  }

  private void sendRandom(Node node, Random random) {
    int requests = random.nextInt(6) > 0 ? 1 : 2 + random.nextInt(LONGEST_BATCH - 1);
    List<LimitRequest> batch = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      batch.add(randomRequest(random));
    }
    referee.send(node, batch);
  }

  private LimitRequest randomRequest(Random random) {
    if (scenario.fillers() > 0 && random.nextInt(20) == 0) {
      return single(Scenario.filler(random.nextInt(scenario.fillers())), Scenario.FILLER_LIMIT);
    }
    List<Scenario.Subject> among = !rare.isEmpty() && random.nextInt(4) == 0 ? rare : busy;
    Scenario.Subject subject = among.get(random.nextInt(among.size()));
    if (scenario.sprayed() > 0 && random.nextInt(3) == 0) {
      String identifier = "spray_" + random.nextInt(scenario.sprayed());
      return single(new Series(subject.series().scope(), identifier), Scenario.SPRAYED_LIMIT);
    }
    long limit = switch (random.nextInt(20)) {
      case 0 -> 0;
      case 1 -> subject.limit() / 2;
      case 2 -> 2 * subject.limit();
      default -> subject.limit();
    };
    long cost = switch (random.nextInt(20)) {
      case 0, 1 -> 0;
      case 2, 3, 4 -> 2 + random.nextInt(4);
      case 5 -> subject.limit() + 1;
      case 6 -> 1 + subject.limit() / 4;
      default -> 1;
    };
    return new LimitRequest(subject.series().scope(), subject.series().identifier(), limit, cost);
  }
}
