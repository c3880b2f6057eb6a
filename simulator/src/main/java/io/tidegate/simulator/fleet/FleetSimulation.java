package io.tidegate.simulator.fleet;

import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import io.tidegate.simulator.common.AdmissionLedger;
import io.tidegate.simulator.common.ObservedCounters;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.Peaks;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.OriginServer;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Simulates one fleet: a window in which nodes start, one of warm-up, and the measured ones.
 * Traffic begins with the second window.
 */
final class FleetSimulation {

  private static final long WINDOW_NANOS = FleetTraffic.WINDOW_MILLIS * 1_000_000L;
  private static final int WINDOWS_BEFORE = 2;

  /** Number of samples per window of figures that are means over time. */
  private static final int SAMPLES_PER_WINDOW = 12;

  /** One-way delay to a Redis in the same region. */
  private static final NetworkLink.Quality TO_ORIGIN = NetworkLink.Quality.of(100_000, 400_000);

  /** Coarser than the delay to the origin, because the traffic repeats every window. */
  private static final long RESOLUTION_NANOS = 1_000_000;

  private final FleetSettings settings;
  private final FleetTraffic traffic;
  private final World world;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final Node[] nodes;
  private final Calls calls = new Calls();
  private final AdmissionLedger[] ledgers;

  // All figures since the start of the measurement; peaks in tokens and rows pushed by series.
  private final Map<Load, Double> totals = new EnumMap<>(Load.class);
  private final long[] peaks;
  private final long[] rows;
  private long wrongDenials;
  private long failures;

  private long windowBeginNanos = WINDOW_NANOS;
  private int next;

  FleetSimulation(FleetSettings settings) {
    this.settings = settings;
    this.traffic = new FleetTraffic(settings.size(), settings.series(), settings.seed());
    this.world = new World(settings.seed());
    this.nodes = new Node[settings.size().nodes()];
    this.ledgers = new AdmissionLedger[settings.series()];
    Arrays.setAll(
        ledgers, series -> new AdmissionLedger(FleetTraffic.WINDOW_MILLIS, RESOLUTION_NANOS));
    this.peaks = new long[ledgers.length];
    this.rows = new long[ledgers.length];
    int count = settings.size().regions();
    for (int i = 0; i < count; i++) {
      // One way takes 1 ms from the region of the database and 80 ms from the farthest one.
      long nanos = 1_000_000 + 79_000_000L * i / (count - 1);
      NetworkLink.Quality toDatabase = NetworkLink.Quality.of(nanos, nanos + nanos / 4);
      regions.add(world.region("region-" + i, TO_ORIGIN, toDatabase));
    }
    for (int i = 0; i < nodes.length; i++) {
      int number = i;
      SimulatedRegion region = regions.get(settings.size().regionOf(number));
      long startNanos = (long) (world.random().nextDouble() * WINDOW_NANOS);
      world
          .timeline()
          .at(
              startNanos,
              () -> nodes[number] = world.start(region, "node-" + number, node -> calls));
    }
    scheduleNext();
  }

  private void scheduleNext() {
    long request = traffic.requests()[next];
    long atNanos = windowBeginNanos + FleetTraffic.offsetNanos(request);
    world.timeline().at(atNanos, () -> {
      send(nodes[FleetTraffic.node(request)], FleetTraffic.series(request));
      if (++next == traffic.requests().length) {
        next = 0;
        windowBeginNanos += WINDOW_NANOS;
      }
      scheduleNext();
    });
  }

  private void send(Node node, int series) {
    long nowMillis = node.millis();
    node.limiter()
        .tryAcquireAsync(traffic.ofSeries(series), nowMillis)
        .thenAccept(decision -> decided(series, nowMillis, decision));
  }

  private void decided(int series, long requestMillis, Decision decision) {
    add(Load.REQUESTS, 1);
    if (decision.allowed()) {
      long trailing = ledgers[series].admit(decision, 1, world.timeline().nowNanos());
      peaks[series] = Math.max(peaks[series], trailing);
    } else {
      add(Load.DENIALS, 1);
      wrongDenials += ledgers[series].isWronglyDenied(decision, 1, requestMillis) ? 1 : 0;
    }
  }

  private void add(Load load, long number) {
    totals.merge(load, (double) number, Double::sum);
  }

  /** Number of simulated windows, including those that are not measured. */
  static int windows(FleetSettings settings) {
    return WINDOWS_BEFORE + settings.minutes();
  }

  /** Runs the simulation. Calls {@code nextWindow} before each window. */
  FleetFigures run(NodeMemory memory, Runnable nextWindow) {
    for (int window = 0; window < WINDOWS_BEFORE; window++) {
      nextWindow.run();
      world.timeline().runUntil((window + 1) * WINDOW_NANOS);
    }
    startMeasuring();
    long writesBefore = ofOrigins(OriginServer::writes);
    long commandsBefore = ofOrigins(OriginServer::commands);
    long raisedBefore = ofOrigins(OriginServer::raisedByReads);
    long storedBefore = ofOrigins(OriginServer::stored);
    long beganNanos = System.nanoTime();
    long beganCpuNanos = cpuNanos();
    for (int window = WINDOWS_BEFORE; window < windows(settings); window++) {
      nextWindow.run();
      runAndSample(window);
    }
    double virtualNanos = settings.minutes() * WINDOW_NANOS;
    double speedByCpu = virtualNanos / (cpuNanos() - beganCpuNanos);
    double speed = virtualNanos / (System.nanoTime() - beganNanos);
    long writes = ofOrigins(OriginServer::writes) - writesBefore;
    add(Load.COUNTS_REPLAYED, writes);
    add(Load.COUNTS_STORED, ofOrigins(OriginServer::stored) - storedBefore);
    long reads = ofOrigins(OriginServer::commands) - commandsBefore - writes;
    add(Load.CELLS_READ, raisedBefore - ofOrigins(OriginServer::raisedByReads)); // not only read
    double forDecisions = totals.getOrDefault(Load.CELLS_READ, 0.0);
    totals.put(Load.CELLS_CHECKED, Math.max(0, reads - forDecisions));
    return new FleetFigures(
        settings,
        load(virtualNanos / 1e9),
        memory,
        relativeError(),
        peaks(series -> true),
        peaks(traffic::isShared),
        wrongDenials,
        failures,
        speed,
        speedByCpu);
  }

  private void startMeasuring() {
    totals.clear();
    Arrays.fill(peaks, 0);
    Arrays.fill(rows, 0);
    wrongDenials = 0;
    failures = 0;
  }

  private void runAndSample(int window) {
    for (int sample = 0; sample < SAMPLES_PER_WINDOW; sample++) {
      // Not at the end of a window, where all rows of a window have just expired together.
      long inWindow = (2 * sample + 1) * WINDOW_NANOS / (2 * SAMPLES_PER_WINDOW);
      world.timeline().runUntil(window * WINDOW_NANOS + inWindow);
      add(Load.LIVE_ROWS, world.database().liveRows());
      for (Node node : nodes) {
        add(Load.HELD_SERIES, node.limiter().stats().series());
      }
    }
    world.timeline().runUntil((window + 1) * WINDOW_NANOS);
  }

  private long ofOrigins(ToLongFunction<OriginServer> counter) {
    return regions.stream()
        .mapToLong(region -> counter.applyAsLong(region.origin()))
        .sum();
  }

  private Map<Load, Double> load(double seconds) {
    IntStream shared = IntStream.range(0, rows.length).filter(traffic::isShared);
    add(Load.ROWS_WRITTEN, Arrays.stream(rows).sum());
    add(Load.SHARED_ROWS_WRITTEN, shared.mapToLong(series -> rows[series]).sum());
    double samples = settings.minutes() * SAMPLES_PER_WINDOW;
    totals.replaceAll((load, total) -> switch (load) {
      case LIVE_ROWS -> total / samples;
      case HELD_SERIES -> total / samples / nodes.length;
      default -> total / seconds;
    });
    totals.put(Load.USED_SERIES, traffic.seriesPerNode());
    return FleetFigures.extrapolated(totals, settings.sample(), settings.rounds());
  }

  private Peaks peaks(IntPredicate which) {
    return Peaks.of(IntStream.range(0, peaks.length)
        .filter(which)
        .mapToDouble(series -> (double) peaks[series] / traffic.ofSeries(series).limit())
        .toArray());
  }

  /** The relative standard error of the rows of all series, extrapolated from the sample. */
  private double relativeError() {
    double mean = Arrays.stream(rows).average().orElse(0);
    double variance =
        Arrays.stream(rows).mapToDouble(one -> (one - mean) * (one - mean)).sum() / rows.length;
    double unseen = 1 - 1.0 / settings.sample();
    return mean == 0 ? 0 : Math.sqrt(variance * unseen / rows.length) / mean;
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Counts the calls of all nodes. Failures and losses of counts do not occur in a correct run. */
  private final class Calls implements World.NodeCustomizer, LimiterObserver {

    @Override
    public RateLimiterBuilder limiter(RateLimiterBuilder builder) {
      builder.pushPolicy(settings.policy().push());
      return builder.maxSeries(settings.sampledMaxSeries()).observer(this);
    }

    @Override
    public GlobalCounters counters(GlobalCounters counters) {
      return new ObservedCounters(
          counters,
          pushed -> rows[traffic.numberOf(pushed.cell().series().identifier())]++,
          () -> add(Load.PULLS, 1),
          () -> add(Load.OWN_PULLS, 1));
    }

    /** A read for a decision reads both cells of a series; all other reads are loss checks. */
    @Override
    public void originAnswered(OriginOperation operation, long nanos) {
      switch (operation) {
        case REPLAY, STORE, LOSS_CHECK -> {} // the origin counts them
        default -> add(Load.CELLS_READ, 2);
      }
    }

    @Override
    public void pushed(int rows, long nanos) {
      add(Load.PUSHES, 1);
    }

    @Override
    public void pulled(int rows, int applied, int created, long nanos) {
      add(Load.ROWS_READ, rows);
    }

    @Override
    public void liveSeriesEvicted(Scope scope, String identifier) {
      add(Load.EVICTIONS, 1);
    }

    @Override
    public void originFailed(OriginOperation operation, CallFailure failure) {
      failures++;
    }

    @Override
    public void pushFailed(CallFailure failure) {
      failures++;
    }

    @Override
    public void pullFailed(CallFailure failure) {
      failures++;
    }

    @Override
    public void originLostCounts() {
      failures++;
    }

    @Override
    public void globalCountersLostCounts() {
      failures++;
    }
  }
}
