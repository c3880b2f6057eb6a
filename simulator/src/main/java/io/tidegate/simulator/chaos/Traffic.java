package io.tidegate.simulator.chaos;

import io.tidegate.model.LimitRequest;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Asks nodes for this and that, one at a time and in batches, and waits for the answers. */
final class Traffic {

  static final int LONGEST_BATCH = 5;

  private final Plan plan;
  private final World world;
  private final Crew crew;
  private final Referee referee;

  /** What has not been answered, oldest first. */
  private final Deque<Request> open = new ArrayDeque<>();

  Traffic(Plan plan, World world, Crew crew, Referee referee) {
    this.plan = plan;
    this.world = world;
    this.crew = crew;
    this.referee = referee;
  }

  void begin() {
    next();
    for (Fault fault : plan.faults()) {
      if (fault.kind() == Fault.Kind.NODE_CRASHES) { // has counted something just before
        long before = world.random().nextInt((int) (40 * Plan.MILLI));
        world.timeline().at(fault.fromNanos() - before, () -> askLastly(fault));
      }
    }
  }

  private void askLastly(Fault crash) {
    Node node = crew.node(crash.region(), crash.node());
    for (int i = 0; i < 5 && node.isRunning(); i++) {
      ask(node, request(world.random()));
    }
  }

  private void next() {
    Random random = world.random();
    List<Node> running = crew.running();
    if (!running.isEmpty()) {
      Node node = running.get(random.nextInt(running.size()));
      // Now and then many at once.
      int requests = random.nextInt(40) == 0 ? 1 + random.nextInt(30) : 1;
      for (int i = 0; i < requests; i++) {
        ask(node, random);
      }
    }
    long mean = Plan.SECOND / plan.requestsPerSecond();
    long pause = (long) (-StrictMath.log(1 - random.nextDouble()) * mean);
    if (world.timeline().nowNanos() + pause < plan.endNanos()) {
      world.timeline().after(pause, this::next);
    }
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
    Request request = referee.asks(node, batch);
    open.add(request);
    node.limiter().tryAcquireAllAsync(batch, request.nowMillis()).whenComplete((all, failure) -> {
      open.remove(request);
      referee.answered(request, all, failure);
    });
  }

  private void ask(Node node, LimitRequest single) {
    Request request = referee.asks(node, List.of(single));
    open.add(request);
    node.limiter().tryAcquireAsync(single, request.nowMillis()).whenComplete((one, failure) -> {
      open.remove(request);
      referee.answered(request, Request.batchOf(one), failure);
    });
  }

  private LimitRequest request(Random random) {
    Plan.Subject subject = plan.subjects().get(random.nextInt(plan.subjects().size()));
    if (plan.sprayed() > 0 && random.nextInt(3) == 0) {
      return new LimitRequest(
          subject.series().scope(),
          "spray_" + random.nextInt(plan.sprayed()),
          Plan.SPRAYED_LIMIT,
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
