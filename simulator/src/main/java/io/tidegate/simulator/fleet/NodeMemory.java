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
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.lang.ref.Reference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * How much heap a node takes for each series, measured on a node of its own: in a fleet that is
 * simulated, all nodes share their strings.
 *
 * @param heard bytes for one that another region uses, and this node has only heard of
 * @param used bytes for one that this node is asked for, and no other region uses
 */
record NodeMemory(double heard, double used) {

  private static final int SERIES = 20_000;
  private static final Scope SCOPE = new Scope("acme", "requests", FleetTraffic.WINDOW_MILLIS);
  private static final long TO_REST_NANOS = 2_000_000_000L;

  /** Takes a second or so, in which nobody else should allocate. */
  static NodeMemory measure(int regions) {
    return new NodeMemory(ofHeard(regions), ofUsed());
  }

  /** Each series is told of by one region, of its current and its previous cell. */
  private static double ofHeard(int regions) {
    long before = heap();
    World world = new World(1);
    Node node = start(world, regions);
    world.timeline().runUntil(TO_REST_NANOS);
    double bytes = (double) (heap() - before) / SERIES;
    check(node);
    Reference.reachabilityFence(world);
    return bytes;
  }

  private static double ofUsed() {
    long before = heap();
    World world = new World(1);
    Node node = start(world, 0);
    for (int i = 0; i < SERIES; i++) {
      for (int j = 0; j < 5; j++) { // so often that it is told to others
        node.limiter().tryAcquireAsync(new LimitRequest(SCOPE, FleetTraffic.identifier(i), 100, 1));
      }
    }
    world.timeline().runUntil(TO_REST_NANOS);
    double bytes = (double) (heap() - before) / SERIES;
    check(node);
    Reference.reachabilityFence(world);
    return bytes;
  }

  private static void check(Node node) {
    if (node.limiter().stats().series() != SERIES) {
      throw new IllegalStateException("holds " + node.limiter().stats().series() + " series");
    }
  }

  private static Node start(World world, int regions) {
    NetworkLink.Quality way = NetworkLink.Quality.of(100_000, 100_000);
    return world.start(world.region("here", way, way), "node", node -> new World.NodeCustomizer() {
      @Override
      public RegionalOrigin origin(RegionalOrigin origin) {
        return new Agreeing();
      }

      @Override
      public GlobalCounters counters(GlobalCounters counters) {
        return new Telling(regions);
      }
    });
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    System.gc();
    System.gc(); // what the first one has only found to be unreachable
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** An origin that keeps nothing, and says that it knows whatever it was told. */
  private static final class Agreeing implements RegionalOrigin {

    private static final long MORE_THAN_ANY = 1_000_000;
    private static final RegionalCount ALL_OF_THIS_NODE =
        new RegionalCount(MORE_THAN_ANY, MORE_THAN_ANY);

    @Override
    public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells) {
      return CompletableFuture.completedFuture(Collections.nCopies(cells.size(), ALL_OF_THIS_NODE));
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return Collections.nCopies(
          counts.size(), CompletableFuture.completedFuture(ALL_OF_THIS_NODE));
    }

    @Override
    public void close() {}
  }

  /** Counters that keep nothing, and tell of so many regions once. */
  private static final class Telling implements GlobalCounters {

    private final int regions;

    Telling(int regions) {
      this.regions = regions;
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
      for (int i = 0; since == EVERYTHING && regions > 0 && i < SERIES; i++) {
        // each row with strings of its own, as a driver makes them
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
