package io.tidegate.simulator.fleet;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Heap per series, measured on a single node: the nodes of a simulated fleet share their strings.
 *
 * @param used bytes of a series that only this node uses
 * @param shared bytes of a series that other regions use too; their number does not matter
 */
record NodeMemory(double used, double shared) {

  private static final int SERIES = 20_000;
  private static final int REQUESTS_PER_SERIES = 5;
  private static final Scope SCOPE = new Scope("acme", "requests", FleetTraffic.WINDOW_MILLIS);

  /**
   * Measures for a second or so. No other thread should allocate in the meantime. A series is
   * pushed after five requests.
   */
  static NodeMemory measure() {
    return new NodeMemory(bytesPerSeries(0), bytesPerSeries(9));
  }

  /** Each answer contains the counts of so many other regions. */
  private static double bytesPerSeries(int regions) {
    long before = heap();
    World world = new World(1);
    NetworkLink.Quality link = NetworkLink.Quality.of(100_000, 100_000);
    Node node =
        world.start(world.region("here", link, link), "node", started -> new Adapters(regions));
    for (int i = 0; i < SERIES * REQUESTS_PER_SERIES; i++) {
      String identifier = FleetTraffic.identifier(i / REQUESTS_PER_SERIES);
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
   * Adapters that store nothing: an origin that confirms every count and answers with a count of
   * each other region, and global counters without rows.
   */
  private record Adapters(int regions)
      implements World.NodeCustomizer, RegionalOrigin, GlobalCounters {

    private static final long MANY = 1_000_000; // more than is ever requested

    private RegionalCount answer() {
      return new RegionalCount(MANY, MANY, regions, regions, 0);
    }

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
      return CompletableFuture.completedFuture(Collections.nCopies(counts.size(), answer()));
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return Collections.nCopies(counts.size(), CompletableFuture.completedFuture(answer()));
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return CompletableFuture.completedFuture(new LiveNodes(1, Optional.empty(), false));
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> pull(
        String own, long since, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.completedFuture(nowMillis);
    }

    @Override
    public void close() {}
  }
}
