package io.tidegate.benchmarks.global;

import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * 33 nodes in 10 regions, as in the reference system. The nodes of a region share an origin in
 * memory; all share a real database.
 */
final class Fleet implements AutoCloseable {

  static final int REGIONS = 10;
  static final int NODES = 33;

  private final ExchangeMeter meter = new ExchangeMeter();
  private final List<FleetOrigin> origins = new ArrayList<>();
  private final List<FleetNode> nodes = new ArrayList<>();
  private final ScheduledThreadPoolExecutor housekeeping = new ScheduledThreadPoolExecutor(1);

  Fleet(String jdbcUrl, PushPolicy policy, Duration window, Consumer<Component> pushes) {
    for (int region = 0; region < REGIONS; region++) {
      origins.add(new FleetOrigin());
    }
    for (int node = 0; node < NODES; node++) {
      int region = regionOf(node);
      nodes.add(new FleetNode(
          jdbcUrl, "region-" + region, origins.get(region), policy, window, meter, pushes));
    }
    var unused = housekeeping.scheduleWithFixedDelay(
        () -> origins.forEach(origin -> origin.removeExpired(System.currentTimeMillis())),
        5,
        5,
        TimeUnit.SECONDS);
  }

  /** The region of a node; each has three or four nodes. */
  static int regionOf(int node) {
    return node % REGIONS;
  }

  static int nodesOf(int region) {
    return (NODES - region + REGIONS - 1) / REGIONS;
  }

  /** The node with this number within its region. */
  static int nodeOf(int region, int number) {
    return region + number * REGIONS;
  }

  ExchangeMeter meter() {
    return meter;
  }

  FleetNode node(int number) {
    return nodes.get(number);
  }

  @Override
  public void close() {
    housekeeping.shutdownNow();
    nodes.parallelStream().forEach(FleetNode::close);
  }
}
