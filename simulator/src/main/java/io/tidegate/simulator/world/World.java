package io.tidegate.simulator.world;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.simulator.world.NetworkLink.Quality;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Regions with their origins, one database, and the timeline of all of them. */
public final class World {

  private final Timeline timeline = new Timeline();
  private final Random random;
  private final DatabaseServer database;

  /** An empty world whose random events are determined by a seed. */
  public World(long seed) {
    this.random = new Random(seed);
    this.database = new DatabaseServer(timeline);
  }

  public Timeline timeline() {
    return timeline;
  }

  public Random random() {
    return random;
  }

  public DatabaseServer database() {
    return database;
  }

  public SimulatedRegion region(String name, Quality toOrigin, Quality toDatabase) {
    return region(name, 1, toOrigin, toDatabase);
  }

  /** Adds a region whose origin has this many parts. */
  public SimulatedRegion region(String name, int parts, Quality toOrigin, Quality toDatabase) {
    return new SimulatedRegion(name, new OriginServer(timeline, parts), toOrigin, toDatabase);
  }

  /** Configures the limiter of a node, and wraps its adapters to observe or disturb them. */
  public interface NodeCustomizer {

    default RateLimiterBuilder limiter(RateLimiterBuilder builder) {
      return builder;
    }

    default RegionalOrigin origin(RegionalOrigin origin) {
      return origin;
    }

    /** Wraps the client of the database; null for a limiter without global counters. */
    default @Nullable GlobalCounters counters(GlobalCounters counters) {
      return counters;
    }
  }

  /** Starts a node. Its name must be unique in its region for the whole simulation. */
  public Node start(
      SimulatedRegion region, String name, Function<Node, NodeCustomizer> customizing) {
    Node node = new Node(timeline, region, name);
    List<NetworkLink> toOrigin = new ArrayList<>();
    for (int i = 0; i < region.origin().parts(); i++) {
      toOrigin.add(
          new NetworkLink(timeline, random, node, region.origin().service(i), region.toOrigin()));
    }
    NetworkLink toDatabase =
        new NetworkLink(timeline, random, node, database.service(), region.toDatabase());
    NodeCustomizer customizer = customizing.apply(node);
    RateLimiterBuilder builder = RateLimiter.builder()
        .clock(node)
        .scheduler(node)
        .region(region.name())
        .node(name)
        .origin(customizer.origin(new OriginClient(region.origin(), toOrigin)));
    GlobalCounters counters =
        customizer.counters(new DatabaseClient(database, toDatabase, timeline));
    if (counters != null) {
      builder.globalCounters(counters);
    }
    node.begin(customizer.limiter(builder).build(), toOrigin, toDatabase);
    return node;
  }
}
