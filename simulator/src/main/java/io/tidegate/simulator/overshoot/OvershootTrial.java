package io.tidegate.simulator.overshoot;

import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Decision;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.common.ObservedOrigin;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The simulation of one policy, traffic pattern and load, in a world of its own. */
final class OvershootTrial {

  /** Time for the last tokens to spread: two of the longest intervals, and some more. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Nodes start within this time, so that their intervals do not coincide. */
  private static final long STAGGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** One-way delay within a region. */
  private static final NetworkLink.Quality TO_ORIGIN = NetworkLink.Quality.of(250_000, 750_000);

  private final OvershootSettings settings;
  private final SharingPolicy policy;
  private final World world;
  private final RequestSchedule schedule;
  private final List<String> names = new ArrayList<>();
  private final List<SimulatedRegion> regions = new ArrayList<>();

  /** The cells with a denial that each region has read. */
  private final List<Set<WindowCell>> readDenials = new ArrayList<>();

  private final Node[] nodes;
  private final TrialLedger ledger;
  private final PropagationLag lag;
  private final Iterator<RequestSchedule.Request> next;

  private OvershootTrial(OvershootSettings settings, Case setup, SharingPolicy policy) {
    this.settings = settings;
    this.policy = policy;
    this.world = new World(settings.seed());
    this.schedule = new RequestSchedule(setup.pattern(), settings, setup.load(), world.random());
    this.nodes = new Node[settings.allNodes()];
    this.ledger = new TrialLedger(schedule);
    this.lag = new PropagationLag(settings);
    this.next = schedule.requests.iterator();
  }

  /** Runs a trial of any approach. */
  static TrialResult run(OvershootSettings settings, Case setup) {
    return setup.approach() instanceof SingleCounter counter
        ? counter.run(settings, setup.pattern(), setup.load())
        : new OvershootTrial(settings, setup, (SharingPolicy) setup.approach()).run();
  }

  private TrialResult run() {
    world.timeline().runUntil(schedule.begin - RequestSchedule.LEAD_NANOS);
    startNodes();
    world.timeline().runUntil(schedule.begin);
    long writtenBefore = world.database().written();
    long readBefore = world.database().read();
    sendNext();
    world.timeline().runUntil(schedule.end);
    double written = world.database().written() - writtenBefore;
    double read = world.database().read() - readBefore;
    world.timeline().runUntil(schedule.end + SETTLE_NANOS);
    return ledger.result(written / schedule.windows, read / schedule.windows, lag);
  }

  private void startNodes() {
    for (int i = 0; i < settings.regions(); i++) {
      names.add("region_" + i);
      readDenials.add(new HashSet<>());
      regions.add(world.region(names.get(i), TO_ORIGIN, toDatabase(i)));
    }
    long now = world.timeline().nowNanos();
    for (int i = 0; i < nodes.length; i++) {
      int number = i;
      SimulatedRegion region = regions.get(region(number));
      long delay = (long) (world.random().nextDouble() * STAGGER_NANOS);
      world
          .timeline()
          .at(
              now + delay,
              () -> nodes[number] =
                  world.start(region, "node_" + number, node -> new Customizer(number)));
    }
  }

  private int region(int node) {
    return node / settings.nodes();
  }

  /** The one-way delay is 5 ms from the nearest region, 75 from the farthest, and a fifth more. */
  private NetworkLink.Quality toDatabase(int region) {
    long nanos = 5_000_000 + 70_000_000L * region / Math.max(1, settings.regions() - 1);
    return NetworkLink.Quality.of(nanos, (long) (nanos * 1.2));
  }

  private void sendNext() {
    if (next.hasNext()) {
      RequestSchedule.Request scheduled = next.next();
      world.timeline().at(scheduled.nanos(), () -> {
        send(scheduled);
        sendNext();
      });
    }
  }

  private void send(RequestSchedule.Request scheduled) {
    Node node = nodes[scheduled.node()];
    long nowMillis = node.millis();
    node.limiter()
        .tryAcquireAsync(schedule.request.withCost(scheduled.cost()), nowMillis)
        .thenAccept(decision -> decided(scheduled, nowMillis, decision));
  }

  private void decided(RequestSchedule.Request scheduled, long requestMillis, Decision decision) {
    long now = world.timeline().nowNanos();
    ledger.decided(now, requestMillis, scheduled.cost(), decision);
    if (decision.allowed()) {
      lag.admitted(region(scheduled.node()), ledger.sequence(decision), scheduled.cost(), now);
    }
  }

  /**
   * A node received the imported count of a cell. It is a sum; its parts are taken from the origin,
   * which the answer left less than a millisecond ago.
   */
  private void received(int node, WindowCell cell) {
    long now = world.timeline().nowNanos();
    regions
        .get(region(node))
        .origin()
        .imports(cell)
        .forEach((region, count) ->
            lag.received(node, names.indexOf(region), cell.sequence(), count, now));
  }

  /** Connects a node to the other regions as the policy does. */
  private final class Customizer implements World.NodeCustomizer {

    private final int number;
    private @Nullable Blocklist blocklist;

    Customizer(int number) {
      this.number = number;
    }

    @Override
    public RegionalOrigin origin(RegionalOrigin origin) {
      return policy.sharesCounts()
          ? new ObservedOrigin(origin, (cell, count) -> received(number, cell))
          : origin;
    }

    @Override
    public GlobalCounters counters(GlobalCounters counters) {
      if (policy.shared() == SharingPolicy.Shared.DENIALS) {
        int region = region(number);
        blocklist = new Blocklist(
            counters,
            names.get(region),
            settings.limit(),
            cell -> lag.regionalCount(region, cell.sequence()),
            readDenials.get(region));
        return blocklist;
      }
      return counters;
    }

    @Override
    public RateLimiterBuilder limiter(RateLimiterBuilder builder) {
      builder.pushPolicy(policy.push());
      return blocklist == null ? builder : builder.observer(blocklist);
    }
  }
}
