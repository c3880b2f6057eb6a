package io.tidegate.simulator.overshoot;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.simulator.overshoot.TrialResult.Telling;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One load of one shape under one policy, in a world of its own. */
final class OvershootTrial {

  /** For the last tokens to be told of: two paces of the slowest policy, each as late as can be. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** So that nodes, which all keep the same pace, do not keep the same step. */
  private static final long STAGGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A network within a region: half a millisecond, more or less. */
  private static final NetworkLink.Quality TO_ORIGIN = NetworkLink.Quality.of(250_000, 750_000);

  /** To a database next door, and from the other side of the world. */
  private static final long NEAREST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long FARTHEST_NANOS = TimeUnit.MILLISECONDS.toNanos(75);

  /** How much longer a message may take to the database than another. */
  private static final double DATABASE_JITTER = 0.2;

  private final OvershootSettings settings;
  private final SharingPolicy policy;
  private final World world;
  private final RequestSchedule plan;
  private final LimitRequest request;
  private final List<String> names = new ArrayList<>();
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final Node[] nodes;
  private final Ledger ledger;
  private final PropagationLag lag;
  private final Iterator<RequestSchedule.Request> next;
  private long written;
  private long read;

  OvershootTrial(
      OvershootSettings settings, TrafficPattern traffic, double load, SharingPolicy policy) {
    this.settings = settings;
    this.policy = policy;
    this.world = new World(settings.seed());
    this.plan = traffic.plan(settings, load, world.random());
    this.request = request(settings, traffic);
    this.nodes = new Node[settings.allNodes()];
    this.ledger = new Ledger(plan);
    this.lag = new PropagationLag(settings);
    this.next = plan.requests().iterator();
  }

  static LimitRequest request(OvershootSettings settings, TrafficPattern traffic) {
    Scope scope = new Scope("acme", "login", traffic.windowSeconds() * 1_000);
    return new LimitRequest(scope, "user_42", settings.limit(), 1);
  }

  TrialResult run() {
    world.timeline().runUntil(plan.begin() - RequestSchedule.LEAD_NANOS);
    startNodes();
    world.timeline().runUntil(plan.begin());
    written = world.database().written();
    read = world.database().read();
    askNext();
    world.timeline().runUntil(plan.end());
    written = world.database().written() - written;
    read = world.database().read() - read;
    world.timeline().runUntil(plan.end() + SETTLE_NANOS);
    return new TrialResult(
        ledger.admission(),
        new Telling(
            written / (double) plan.windows(),
            read / (double) plan.windows(),
            lag.seconds(),
            lag.untold()));
  }

  private void startNodes() {
    for (int i = 0; i < settings.regions(); i++) {
      names.add("region_" + i);
      regions.add(world.region(names.get(i), TO_ORIGIN, toDatabase(i)));
    }
    long now = world.timeline().nowNanos();
    for (int i = 0; i < nodes.length; i++) {
      int number = i;
      long later = (long) (world.random().nextDouble() * STAGGER_NANOS);
      world.timeline().at(now + later, () -> nodes[number] = start(number));
    }
  }

  private Node start(int number) {
    SimulatedRegion region = regions.get(number / settings.nodes());
    return world.start(
        region,
        "node_" + number,
        node -> policy.tells() ? sharingCounts(number) : new SharingVerdicts(number));
  }

  private NetworkLink.Quality toDatabase(int region) {
    long spread = (FARTHEST_NANOS - NEAREST_NANOS) * region / Math.max(1, settings.regions() - 1);
    long shortest = NEAREST_NANOS + spread;
    return NetworkLink.Quality.of(shortest, (long) (shortest * (1 + DATABASE_JITTER)));
  }

  private void askNext() {
    if (next.hasNext()) {
      RequestSchedule.Request planned = next.next();
      world.timeline().at(planned.nanos(), () -> {
        ask(planned);
        askNext();
      });
    }
  }

  private void ask(RequestSchedule.Request planned) {
    Node node = nodes[planned.node()];
    long askedMillis = node.millis();
    node.limiter()
        .tryAcquireAsync(request.withCost(planned.cost()), askedMillis)
        .thenAccept(decision -> note(planned, askedMillis, decision));
  }

  private void note(RequestSchedule.Request planned, long askedMillis, Decision decision) {
    long now = world.timeline().nowNanos();
    ledger.note(now, askedMillis, planned.cost(), decision);
    int region = planned.node() / settings.nodes();
    if (decision.allowed()) {
      lag.accepted(region, ledger.sequence(decision), planned.cost(), now);
    }
  }

  /** What a node is given to share counts, with an ear for what it is told. */
  private World.NodeCustomizer sharingCounts(int number) {
    return new World.NodeCustomizer() {
      @Override
      public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
        return builder.pushPolicy(policy.push());
      }

      @Override
      public GlobalCounters counters(GlobalCounters counters) {
        return new Ear(counters, component -> hear(number, component));
      }
    };
  }

  private void hear(int number, Component component) {
    int region = names.indexOf(component.region());
    if (region != number / settings.nodes()) {
      long now = world.timeline().nowNanos();
      lag.told(number, region, component.cell().sequence(), component.count(), now);
    }
  }

  /** What a node is given to share verdicts. */
  private final class SharingVerdicts implements World.NodeCustomizer {

    private final int region;
    private @Nullable Blocklist blocklist;

    SharingVerdicts(int number) {
      this.region = number / settings.nodes();
    }

    @Override
    public GlobalCounters counters(GlobalCounters counters) {
      blocklist = new Blocklist(
          counters,
          names.get(region),
          settings.limit(),
          cell -> lag.counted(region, cell.sequence()));
      return blocklist;
    }

    @Override
    public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
      return builder.pushPolicy(policy.push()).observer(Objects.requireNonNull(blocklist));
    }
  }
}
