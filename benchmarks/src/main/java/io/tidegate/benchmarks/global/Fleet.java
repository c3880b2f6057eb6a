package io.tidegate.benchmarks;

import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * 33 virtual nodes in 10 regions, as the RFC found them: nodes of a region share an origin in
 * memory, all of them a real database.
 */
final class GlobalFleet implements AutoCloseable {

  static final int REGIONS = 10;
  static final int NODES = 33;

  private final ExchangeMeter meter = new ExchangeMeter();
  private final List<FleetOrigin> origins = new ArrayList<>();
  private final List<GlobalNode> nodes = new ArrayList<>();
  private final ScheduledThreadPoolExecutor housekeeping = new ScheduledThreadPoolExecutor(1);

  GlobalFleet(String jdbcUrl, PushPolicy policy, Duration window, Consumer<Component> pushes) {
    for (int region = 0; region < REGIONS; region++) {
      origins.add(new FleetOrigin());
    }
    for (int node = 0; node < NODES; node++) {
      int region = regionOf(node);
      nodes.add(new GlobalNode(
          jdbcUrl, "region-" + region, origins.get(region), policy, window, meter, pushes));
    }
    housekeeping.scheduleWithFixedDelay(
        () -> origins.forEach(origin -> origin.forgetBefore(System.currentTimeMillis())),
        5,
        5,
        TimeUnit.SECONDS);
  }

  /** Three or four to a region. */
  static int regionOf(int node) {
    return node % REGIONS;
  }

  /** How many nodes a region has. */
  static int nodesOf(int region) {
    return (NODES - region + REGIONS - 1) / REGIONS;
  }

  /** The number of a region's node. */
  static int nodeOf(int region, int number) {
    return region + number * REGIONS;
  }

  ExchangeMeter meter() {
    return meter;
  }

  GlobalNode node(int number) {
    return nodes.get(number);
  }

  @Override
  public void close() {
    housekeeping.shutdownNow();
    nodes.parallelStream().forEach(GlobalNode::close);
  }
}
