package io.tidegate.simulator.fleet;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Heap per series, measured on a single node: the nodes of a simulated fleet share their strings.
 *
 * @param imported bytes of a series that only another region uses
 * @param used bytes of a series that only this node uses
 */
record NodeMemory(double imported, double used) {

  private static final int SERIES = 20_000;
  private static final Scope SCOPE = new Scope("acme", "requests", FleetTraffic.WINDOW_MILLIS);

  /**
   * Measures for a second or so. No other thread should allocate in the meantime. A series is
   * pushed after five requests.
   */
  static NodeMemory measure(int regions) {
    return new NodeMemory(bytesPerSeries(regions, 0), bytesPerSeries(0, 5));
  }

  /** Each series is pulled from one region, with a count in its current and its previous cell. */
  private static double bytesPerSeries(int regions, int requestsPerSeries) {
    long before = heap();
    World world = new World(1);
    NetworkLink.Quality link = NetworkLink.Quality.of(100_000, 100_000);
    Node node =
        world.start(world.region("here", link, link), "node", started -> new Adapters(regions));
    for (int i = 0; i < SERIES * requestsPerSeries; i++) {
      String identifier = FleetTraffic.identifier(i / requestsPerSeries);
      var unused = node.limiter().tryAcquireAsync(new LimitRequest(SCOPE, identifier, 100, 1));
    }
    world.timeline().runUntil(2_000_000_000L); // until all messages have been answered
    double bytes = (double) (heap() - before) / SERIES;
    long held = node.limiter().stats().series(); // also keeps the node reachable until here
    if (held != SERIES) {
      throw new IllegalStateException("a node with " + held + " series instead of " + SERIES);
    }
    return bytes;
  }

  private static long heap() {
    System.gc();
    System.gc(); // collects what the first collection has only found to be unreachable
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /**
   * Adapters that store nothing: an origin that confirms every count, and global counters that
   * return generated rows of several regions once.
   */
  private record Adapters(int regions)
      implements World.NodeCustomizer, RegionalOrigin, GlobalCounters {

    /** More than is ever requested. */
    private static final RegionalCount CONFIRMED = new RegionalCount(1_000_000, 1_000_000);

    @Override
    public RegionalOrigin origin(RegionalOrigin origin) {
      return this;
    }

    @Override
    public GlobalCounters counters(GlobalCounters counters) {
      return this;
    }

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      return CompletableFuture.completedFuture(Collections.nCopies(counts.size(), CONFIRMED));
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return Collections.nCopies(counts.size(), CompletableFuture.completedFuture(CONFIRMED));
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return CompletableFuture.completedFuture(new LiveNodes(1));
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
      for (int i = 0; since == EVERYTHING && regions > 0 && i < SERIES; i++) {
        // new strings for each row, as a driver creates them
        WindowCell cell = WindowCell.at(new Series(SCOPE, FleetTraffic.identifier(i)), nowMillis);
        String region = "region-" + i % (regions - 1);
        each.accept(new Component(region, cell.previous(), 10));
        each.accept(new Component(region, cell, 10));
      }
      return CompletableFuture.completedFuture(nowMillis);
    }

    @Override
    public void close() {}
  }
}
