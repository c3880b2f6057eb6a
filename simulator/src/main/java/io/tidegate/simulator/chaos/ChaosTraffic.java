package io.tidegate.simulator.chaos;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Asks nodes for this and that, one at a time and in batches, and waits for the answers. */
final class ChaosTraffic {

  static final int LONGEST_BATCH = 5;

  /** How many requests the one node gets that is asked in a lull, about. */
  private static final int REQUESTS_IN_LULL = 100;

  /** How many fillers each node is asked for at once, and how often. */
  private static final int FILLERS_AT_ONCE = 10;

  private static final long FILLING_NANOS = 10 * Scenario.MILLI;

  /** How often a node is asked for a new series, and how many come between two requests for one. */
  private static final long NEWCOMER_NANOS = 50 * Scenario.MILLI;

  private static final int NEWCOMERS_BETWEEN = 8;

  private final Scenario plan;
  private final World world;
  private final Cluster cluster;
  private final Referee referee;
  private final List<Scenario.Subject> busy;
  private final List<Scenario.Subject> rare;

  /** What has not been answered, oldest first. */
  private final Deque<ObservedRequest> open = new ArrayDeque<>();

  ChaosTraffic(Scenario plan, World world, Cluster cluster, Referee referee) {
    this.plan = plan;
    this.world = world;
    this.cluster = cluster;
    this.referee = referee;
    this.busy = plan.subjects().stream().filter(subject -> !subject.rare()).toList();
    this.rare = plan.subjects().stream().filter(Scenario.Subject::rare).toList();
  }

  void begin() {
    fill(0);
    next();
    for (Fault fault : plan.faults()) {
      if (fault.kind().isOfPart() && plan.newcomers() > 0) {
        world.timeline().at(fault.fromNanos(), () -> askForNewcomer(fault, 0));
      }
      if (fault.kind() == Fault.Kind.NODE_CRASHES) { // has counted something just before
        long before = world.random().nextInt((int) (40 * Scenario.MILLI));
        world.timeline().at(fault.fromNanos() - before, () -> askLastly(fault));
      }
    }
  }

  /** Asks every node for every filler once. */
  private void fill(int from) {
    int until = Math.min(plan.fillers(), from + FILLERS_AT_ONCE);
    for (Node node : cluster.running()) {
      for (int i = from; i < until; i++) {
        ask(node, filler(i));
      }
    }
    if (until < plan.fillers()) {
      world.timeline().after(FILLING_NANOS, () -> fill(until));
    }
  }

  private static LimitRequest filler(int number) {
    Series series = Scenario.filler(number);
    return new LimitRequest(series.scope(), series.identifier(), Scenario.FILLER_LIMIT, 1);
  }

  /**
   * Asks the nodes of a region for one new series after another while a part of its origin fails,
   * and for each of them again: those of other parts need not be read then.
   */
  private void askForNewcomer(Fault fault, int number) {
    for (int i = 0; i < cluster.nodes(fault.region()); i++) {
      Node node = cluster.node(fault.region(), i);
      for (int again = number; again >= 0 && node.isRunning(); again -= NEWCOMERS_BETWEEN) {
        Series series = Scenario.newcomer(fault, again);
        ask(
            node,
            new LimitRequest(series.scope(), series.identifier(), Scenario.NEWCOMER_LIMIT, 1));
      }
    }
    if (number + 1 < Scenario.NEWCOMERS) {
      world.timeline().after(NEWCOMER_NANOS, () -> askForNewcomer(fault, number + 1));
    }
  }

  private void askLastly(Fault crash) {
    Node node = cluster.node(crash.region(), crash.node());
    for (int i = 0; i < 5 && node.isRunning(); i++) {
      ask(node, request(world.random()));
    }
  }

  private void next() {
    Random random = world.random();
    Scenario.Lull lull = plan.lull();
    boolean quiet = lull != null && lull.includes(world.timeline().nowNanos());
    List<Node> asked = quiet ? oneOf(lull) : cluster.running();
    if (!asked.isEmpty()) {
      Node node = asked.get(random.nextInt(asked.size()));
      // Now and then many at once.
      int requests = random.nextInt(40) == 0 ? 1 + random.nextInt(30) : 1;
      for (int i = 0; i < requests; i++) {
        ask(node, random);
      }
    }
    long mean =
        quiet ? lull.nanos() / REQUESTS_IN_LULL : Scenario.SECOND / plan.requestsPerSecond();
    long pause = (long) (-StrictMath.log(1 - random.nextDouble()) * mean);
    if (world.timeline().nowNanos() + pause < plan.endNanos()) {
      world.timeline().after(pause, this::next);
    }
  }

  /** The only node that is asked in a lull, if it runs. */
  private List<Node> oneOf(Scenario.Lull lull) {
    Node node = cluster.node(lull.region(), lull.node());
    return node.isRunning() ? List.of(node) : List.of();
  }

  private void ask(Node node, Random random) {
    if (random.nextInt(6) > 0) {
      ask(node, request(random));
      return;
    }
    List<LimitRequest> batch = new ArrayList<>();
    for (int i = 2 + random.nextInt(LONGEST_BATCH - 1); i > 0; i--) {
      batch.add(request(random));
    }
    ObservedRequest request = referee.asks(node, batch);
    open.add(request);
    node.limiter().tryAcquireAllAsync(batch, request.nowMillis()).whenComplete((all, failure) -> {
      open.remove(request);
      referee.answered(request, all, failure);
    });
  }

  private void ask(Node node, LimitRequest single) {
    ObservedRequest request = referee.asks(node, List.of(single));
    open.add(request);
    node.limiter().tryAcquireAsync(single, request.nowMillis()).whenComplete((one, failure) -> {
      open.remove(request);
      referee.answered(request, ObservedRequest.batchOf(one), failure);
    });
  }

  private LimitRequest request(Random random) {
    if (plan.fillers() > 0 && random.nextInt(20) == 0) {
      return filler(random.nextInt(plan.fillers()));
    }
    List<Scenario.Subject> among = !rare.isEmpty() && random.nextInt(4) == 0 ? rare : busy;
    Scenario.Subject subject = among.get(random.nextInt(among.size()));
    if (plan.sprayed() > 0 && random.nextInt(3) == 0) {
      return new LimitRequest(
          subject.series().scope(),
          "spray_" + random.nextInt(plan.sprayed()),
          Scenario.SPRAYED_LIMIT,
          1);
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

  /** Who waits has not waited for too long. A node that is frozen or dead answers late or never. */
  void checkWaiting() {
    open.removeIf(request -> request.node().isDead());
    open.stream().filter(request -> request.node().isRunning()).forEach(referee::waits);
  }
}
