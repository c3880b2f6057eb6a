package io.tidegate.simulator.fleet;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** All nodes and regions of a shape, in virtual time, under the traffic of some of its series. */
final class FleetWorld {

  static final long WINDOW_NANOS = FleetTraffic.WINDOW_MILLIS * 1_000_000L;

  /** One way to a Redis in the same region. */
  private static final NetworkLink.Quality TO_ORIGIN = NetworkLink.Quality.of(100_000, 400_000);

  /** One way to the database from the region that has it, and from the farthest. */
  private static final long NEAREST_NANOS = 1_000_000;

  private static final long FARTHEST_NANOS = 80_000_000;

  private final FleetSize shape;
  private final FleetTraffic traffic;
  private final PushPolicy policy;
  private final int maxSeries;
  private final World world;
  private final Ledger ledger;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final List<CallCounts> tallies = new ArrayList<>();
  private final Node[] nodes;
  private final long[] requests;

  /** How many rows have been pushed of each series. */
  private final long[] rows;

  private long windowBeginNanos = WINDOW_NANOS;
  private int next;

  /**
   * A fleet whose nodes start at random times of the first window, and are asked from the second
   * on.
   */
  FleetWorld(FleetSettings plan, FleetTraffic traffic) {
    this.shape = plan.shape();
    this.traffic = traffic;
    this.policy = plan.policy().policy();
    this.maxSeries = plan.sampledMaxSeries();
    this.world = new World(plan.seed());
    this.ledger = new Ledger(traffic);
    this.nodes = new Node[shape.nodes()];
    this.requests = traffic.requests();
    this.rows = new long[traffic.seriesCount()];
    for (int i = 0; i < shape.regions(); i++) {
      long nanos = NEAREST_NANOS + (FARTHEST_NANOS - NEAREST_NANOS) * i / (shape.regions() - 1);
      regions.add(
          world.region("region-" + i, TO_ORIGIN, NetworkLink.Quality.of(nanos, nanos + nanos / 4)));
      tallies.add(new CallCounts());
    }
    for (int i = 0; i < nodes.length; i++) {
      int number = i;
      long begins = (long) (world.random().nextDouble() * WINDOW_NANOS);
      world.timeline().at(begins, () -> start(number));
    }
    world.timeline().at(windowBeginNanos + FleetTraffic.offsetNanos(requests[0]), this::ask);
  }

  private void start(int number) {
    int region = shape.regionOf(number);
    nodes[number] =
        world.start(regions.get(region), "node-" + number, node -> new World.NodeCustomizer() {
          @Override
          public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
            return builder.pushPolicy(policy).maxSeries(maxSeries).observer(tallies.get(region));
          }

          @Override
          public GlobalCounters counters(GlobalCounters counters) {
            return new CountingRows(counters);
          }
        });
  }

  /** Makes the next request, and plans the one after it. */
  private void ask() {
    long request = requests[next];
    int series = FleetTraffic.series(request);
    Node node = nodes[FleetTraffic.node(request)];
    long askedMillis = node.millis();
    node.limiter()
        .tryAcquireAsync(traffic.ofSeries(series), askedMillis)
        .thenAccept(decision -> decided(series, askedMillis, decision));
    if (++next == requests.length) {
      next = 0;
      windowBeginNanos += WINDOW_NANOS;
    }
    world.timeline().at(windowBeginNanos + FleetTraffic.offsetNanos(requests[next]), this::ask);
  }

  private void decided(int series, long askedMillis, Decision decision) {
    ledger.decided(series, askedMillis, world.timeline().nowNanos(), decision);
  }

  /** Counts the rows of each series that are pushed. */
  private final class CountingRows implements GlobalCounters {

    private final GlobalCounters counters;

    CountingRows(GlobalCounters counters) {
      this.counters = counters;
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      for (Component component : components) {
        rows[traffic.numberOf(component.cell().series().identifier())]++;
      }
      return counters.push(components);
    }

    @Override
    public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
      return counters.pull(since, nowMillis, each);
    }

    @Override
    public void close() {
      counters.close();
    }
  }

  void runUntil(long nanos) {
    world.timeline().runUntil(nanos);
  }

  Ledger ledger() {
    return ledger;
  }

  /** How many series each node holds, on average. */
  double heldSeries() {
    long held = 0;
    for (Node node : nodes) {
      held += node.limiter().stats().series();
    }
    return (double) held / nodes.length;
  }

  long liveRows() {
    return world.database().liveRows();
  }

  /** What has happened so far. */
  Reading read() {
    List<RegionReading> all = new ArrayList<>();
    for (int i = 0; i < regions.size(); i++) {
      long writes = regions.get(i).origin().writes();
      long reads = regions.get(i).origin().commands() - writes;
      all.add(new RegionReading(tallies.get(i).read(), writes, reads));
    }
    return new Reading(world.timeline().scheduled(), rows.clone(), all);
  }

  /**
   * What has happened in a region: what its nodes tell, how many counts its origin was told, and
   * how many cells were read there.
   */
  record RegionReading(CallCounts.Reading calls, long writes, long reads) {

    RegionReading since(RegionReading before) {
      return new RegionReading(
          calls.since(before.calls), writes - before.writes, reads - before.reads);
    }
  }

  /**
   * What has happened up to a moment, or since another.
   *
   * @param events how much was planned
   * @param rows how many rows were pushed of each series
   * @param regions the rest, of each region
   */
  record Reading(long events, long[] rows, List<RegionReading> regions) {

    Reading since(Reading before) {
      long[] more = rows.clone();
      for (int i = 0; i < more.length; i++) {
        more[i] -= before.rows[i];
      }
      List<RegionReading> each = new ArrayList<>();
      for (int i = 0; i < regions.size(); i++) {
        each.add(regions.get(i).since(before.regions.get(i)));
      }
      return new Reading(events - before.events, more, each);
    }
  }
}
