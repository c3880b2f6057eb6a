package io.tidegate.simulator.fleet;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.simulator.common.AdmissionLedger;
import io.tidegate.simulator.common.ObservedCounters;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** All nodes and regions of a fleet, under the traffic of the simulated series. */
final class FleetWorld {

  static final long WINDOW_NANOS = FleetTraffic.WINDOW_MILLIS * 1_000_000L;

  /** One-way delay to a Redis in the same region. */
  private static final NetworkLink.Quality TO_ORIGIN = NetworkLink.Quality.of(100_000, 400_000);

  /** One-way delay to the database from its own region and from the farthest one. */
  private static final long NEAREST_NANOS = 1_000_000;

  private static final long FARTHEST_NANOS = 80_000_000;

  /** Coarser than the delay to the origin, because the traffic repeats every window. */
  private static final long RESOLUTION_NANOS = 1_000_000;

  private final FleetSettings settings;
  private final FleetTraffic traffic;
  private final World world;
  private final List<RegionState> regions = new ArrayList<>();
  private final Node[] nodes;
  private final AdmissionLedger[] ledgers;

  /** Peak of each series since the start of the measurement, in tokens. */
  private final long[] peaks;

  /** Rows pushed of each series since the start of the measurement. */
  private final long[] rows;

  private boolean measuring;
  private long requests;
  private long denials;
  private long wrongDenials;
  private long eventsBefore;

  private long windowBeginNanos = WINDOW_NANOS;
  private int next;

  /** A region, and the counters of its origin at the start of the measurement. */
  private static final class RegionState {

    private final SimulatedRegion region;
    private final CallCounts calls = new CallCounts();
    private long writesBefore;
    private long commandsBefore;

    RegionState(SimulatedRegion region) {
      this.region = region;
    }

    void startMeasuring() {
      calls.reset();
      writesBefore = region.origin().writes();
      commandsBefore = region.origin().commands();
    }

    /** A read for a decision reads both cells of a series; all other reads are loss checks. */
    OriginLoad load(double seconds) {
      long writes = region.origin().writes() - writesBefore;
      long reads = region.origin().commands() - commandsBefore - writes;
      long forDecisions = 2 * calls.refreshes;
      return new OriginLoad(
          writes / seconds, forDecisions / seconds, Math.max(0, reads - forDecisions) / seconds);
    }
  }

  /** Nodes start at random times of the first window. Traffic begins with the second one. */
  FleetWorld(FleetSettings settings, FleetTraffic traffic) {
    this.settings = settings;
    this.traffic = traffic;
    this.world = new World(settings.seed());
    this.nodes = new Node[settings.size().nodes()];
    this.ledgers = new AdmissionLedger[traffic.seriesCount()];
    Arrays.setAll(
        ledgers, series -> new AdmissionLedger(FleetTraffic.WINDOW_MILLIS, RESOLUTION_NANOS));
    this.peaks = new long[traffic.seriesCount()];
    this.rows = new long[traffic.seriesCount()];
    int count = settings.size().regions();
    for (int i = 0; i < count; i++) {
      long nanos = NEAREST_NANOS + (FARTHEST_NANOS - NEAREST_NANOS) * i / (count - 1);
      NetworkLink.Quality toDatabase = NetworkLink.Quality.of(nanos, nanos + nanos / 4);
      regions.add(new RegionState(world.region("region-" + i, TO_ORIGIN, toDatabase)));
    }
    for (int i = 0; i < nodes.length; i++) {
      int number = i;
      long startNanos = (long) (world.random().nextDouble() * WINDOW_NANOS);
      world.timeline().at(startNanos, () -> nodes[number] = start(number));
    }
    scheduleNext();
  }

  private Node start(int number) {
    RegionState region = regions.get(settings.size().regionOf(number));
    return world.start(region.region, "node-" + number, node -> new World.NodeCustomizer() {
      @Override
      public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
        return builder
            .pushPolicy(settings.policy().push())
            .maxSeries(settings.sampledMaxSeries())
            .observer(region.calls);
      }

      @Override
      public GlobalCounters counters(GlobalCounters counters) {
        return new ObservedCounters(counters, FleetWorld.this::pushed, component -> {});
      }
    });
  }

  private void pushed(Component component) {
    rows[traffic.numberOf(component.cell().series().identifier())]++;
  }

  private void scheduleNext() {
    long offsetNanos = FleetTraffic.offsetNanos(traffic.requests()[next]);
    world.timeline().at(windowBeginNanos + offsetNanos, this::sendNext);
  }

  private void sendNext() {
    long request = traffic.requests()[next];
    int series = FleetTraffic.series(request);
    Node node = nodes[FleetTraffic.node(request)];
    long nowMillis = node.millis();
    node.limiter()
        .tryAcquireAsync(traffic.ofSeries(series), nowMillis)
        .thenAccept(decision -> decided(series, nowMillis, decision));
    if (++next == traffic.requests().length) {
      next = 0;
      windowBeginNanos += WINDOW_NANOS;
    }
    scheduleNext();
  }

  private void decided(int series, long requestMillis, Decision decision) {
    requests++;
    if (decision.allowed()) {
      long trailing = ledgers[series].admit(decision, 1, world.timeline().nowNanos());
      peaks[series] = measuring ? Math.max(peaks[series], trailing) : 0;
    } else {
      denials++;
      wrongDenials += ledgers[series].isWronglyDenied(decision, 1, requestMillis) ? 1 : 0;
    }
  }

  void runUntil(long nanos) {
    world.timeline().runUntil(nanos);
  }

  /** Sets all figures to zero. */
  void startMeasuring() {
    measuring = true;
    requests = 0;
    denials = 0;
    wrongDenials = 0;
    eventsBefore = world.timeline().scheduled();
    Arrays.fill(rows, 0);
    regions.forEach(RegionState::startMeasuring);
  }

  long requests() {
    return requests;
  }

  long denials() {
    return denials;
  }

  /** Denials that a single counter for all regions would not have made. */
  long wrongDenials() {
    return wrongDenials;
  }

  long events() {
    return world.timeline().scheduled() - eventsBefore;
  }

  /** Rows pushed of each series. */
  long[] rows() {
    return rows;
  }

  /** The largest number of tokens admitted within a window length, divided by the limit. */
  double peak(int series) {
    return (double) peaks[series] / traffic.ofSeries(series).limit();
  }

  /** Sum of a counter over all regions. */
  long calls(ToLongFunction<CallCounts> counter) {
    return regions.stream()
        .mapToLong(region -> counter.applyAsLong(region.calls))
        .sum();
  }

  /** The load of the origin of each region. */
  List<OriginLoad> originLoads(double seconds) {
    return regions.stream().map(region -> region.load(seconds)).toList();
  }

  /** Mean number of series in the memory of a node. */
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
}
