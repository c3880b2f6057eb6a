package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Two regions of two nodes each, with a Redis for each and a database for all: all processes. */
final class Fleet implements AutoCloseable {

  static final String HERE = "eu";
  static final String ABROAD = "us";

  private final MariaDbServer database = MariaDbServer.start();
  private final Map<String, RedisServer> redis =
      Map.of(HERE, RedisServer.start(), ABROAD, RedisServer.start());
  private final Map<String, List<NodeProcess>> nodes =
      Map.of(HERE, new ArrayList<>(), ABROAD, new ArrayList<>());

  /** Those that have been replaced; their logs are looked at in the end. */
  private final List<NodeProcess> gone = new ArrayList<>();

  private final String[] flags;
  private final Client client;

  private Fleet(String... flags) {
    this.flags = flags;
    for (String region : List.of(HERE, ABROAD, HERE, ABROAD)) {
      nodes.get(region).add(launch(region));
    }
    all().forEach(NodeProcess::awaitReady);
    List<NodeProcess> withKey = all().filter(NodeProcess::hasKey).toList();
    assertThat(withKey).as("nodes that made the first key").hasSize(1);
    client = new Client(withKey.get(0).key());
    all().forEach(node -> node.await("the key", () -> knows(node)));
  }

  private boolean knows(NodeProcess node) {
    return client.mustTake(node, "knows", 1, 0).status() == 200;
  }

  /** Starts all at once, on an empty database, and returns when all are ready and know the key. */
  static Fleet start(String... flags) {
    return new Fleet(flags);
  }

  /** Starts one more that is not of the fleet yet. */
  NodeProcess launch(String region) {
    List<String> all = new ArrayList<>(List.of(
        "--region=" + region,
        "--redis-uri=" + redis.get(region).uri(),
        "--jdbc-url=" + database.jdbcUrl()));
    all.addAll(List.of(flags));
    return NodeProcess.launch(all.toArray(String[]::new));
  }

  /** Puts a node into the place of another. */
  void replace(String region, NodeProcess old, NodeProcess fresh) {
    nodes.get(region).replaceAll(node -> node == old ? fresh : node);
    gone.add(old);
  }

  Stream<NodeProcess> all() {
    return Stream.of(HERE, ABROAD).flatMap(region -> nodes.get(region).stream());
  }

  List<NodeProcess> nodes(String region) {
    return nodes.get(region);
  }

  MariaDbServer database() {
    return database;
  }

  RedisServer redis(String region) {
    return redis.get(region);
  }

  Client client() {
    return client;
  }

  void awaitStatus(Stream<NodeProcess> of, String status) {
    of.forEach(node -> node.await("status " + status, () -> node.status().equals(status)));
  }

  /**
   * Has every node tell other regions all that it knows of a series, which is not worth telling
   * while there is much left of its limit: asks each for tokens that leave nothing of a limit, and
   * are more of it than a region may keep to itself.
   *
   * @return how many tokens that took
   */
  long tellAll(String identifier) {
    long[] taken = {0};
    all()
        .forEach(node -> node.await("the last tokens", () -> {
          long used = client.look(node, identifier);
          long cost = 1 + used / 40;
          boolean admitted =
              client.mustTake(node, identifier, used + cost, cost).success();
          taken[0] += admitted ? cost : 0;
          return admitted;
        }));
    return taken[0];
  }

  /** Waits until every node knows of the same count, and that it is between these. */
  void awaitCount(String identifier, long least, long most) {
    NodeProcess.await(
        () -> "%s to be between %d and %d everywhere: %s"
            .formatted(identifier, least, most, counts(identifier)),
        () -> {
          List<Long> counts = counts(identifier).stream().distinct().toList();
          return counts.size() == 1 && counts.get(0) >= least && counts.get(0) <= most;
        });
  }

  private List<Long> counts(String identifier) {
    return all().map(node -> client.look(node, identifier)).toList();
  }

  @Override
  public void close() {
    try {
      Stream.concat(all(), gone.stream()).toList().forEach(NodeProcess::close);
    } finally {
      redis.values().forEach(RedisServer::close);
      database.close();
    }
  }
}
