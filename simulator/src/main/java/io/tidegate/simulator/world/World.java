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

  public RegionOfNodes region(String name, Link.Quality toOrigin, Link.Quality toDatabase) {
    return region(name, 1, toOrigin, toDatabase);
  }

  /** A region whose origin has so many parts. */
  public RegionOfNodes region(
      String name, int parts, Link.Quality toOrigin, Link.Quality toDatabase) {
    return new RegionOfNodes(name, new OriginServer(timeline, parts), toOrigin, toDatabase);
  }

  /** What a node is given, to add to it or to listen to it. */
  public interface Equipment {

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
  public Node start(RegionOfNodes region, String name, Function<Node, Equipment> equipping) {
    Node node = new Node(timeline, region, name);
    List<Link> toOrigin = new ArrayList<>();
    for (int i = 0; i < region.origin().parts(); i++) {
      toOrigin.add(new Link(timeline, random, node, region.origin().service(i), region.toOrigin()));
    }
    Link toDatabase = new Link(timeline, random, node, database.service(), region.toDatabase());
    Equipment equipment = equipping.apply(node);
    RateLimiter.Builder builder = RateLimiter.builder()
        .clock(node)
        .scheduler(node)
        .region(region.name())
        .node(name)
        .origin(equipment.origin(new OriginClient(region.origin(), toOrigin)));
    GlobalCounters counters =
        equipment.counters(new DatabaseClient(database, toDatabase, timeline));
    if (counters != null) {
      builder.globalCounters(counters);
    }
    RateLimiter limiter = equipment.limiter(builder).build();
    node.begin(limiter, toOrigin, toDatabase);
    return node;
  }
}
