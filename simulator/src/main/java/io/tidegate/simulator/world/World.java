package io.tidegate.simulator.world;

import io.tidegate.RateLimiter;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Regions with an origin each, and one database for all, in one virtual time. */
public final class World {

  private final Timeline timeline = new Timeline();
  private final Random random;
  private final DatabaseServer database;

  /** A world in which everything that happens by chance follows from a seed. */
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

  public SimulatedRegion region(
      String name, NetworkLink.Quality toOrigin, NetworkLink.Quality toDatabase) {
    return region(name, 1, toOrigin, toDatabase);
  }

  /** A region whose origin has so many parts. */
  public SimulatedRegion region(
      String name, int parts, NetworkLink.Quality toOrigin, NetworkLink.Quality toDatabase) {
    return new SimulatedRegion(name, new OriginServer(timeline, parts), toOrigin, toDatabase);
  }

  /** What a node is given, to add to it or to listen to it. */
  public interface NodeCustomizer {

    /** Sets what else the limiter should have. */
    default RateLimiter.Builder limiter(RateLimiter.Builder builder) {
      return builder;
    }

    /** The origin that it is given, for the one that there is. */
    default RegionalOrigin origin(RegionalOrigin origin) {
      return origin;
    }

    /** The global counters that it is given, for those that there are; null for none. */
    default @Nullable GlobalCounters counters(GlobalCounters counters) {
      return counters;
    }
  }

  /** Starts a node, whose name no other node of its region has or had. */
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
    RateLimiter.Builder builder = RateLimiter.builder()
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
    RateLimiter limiter = customizer.limiter(builder).build();
    node.begin(limiter, toOrigin, toDatabase);
    return node;
  }
}
