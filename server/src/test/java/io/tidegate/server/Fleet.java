package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Two regions of some node processes each, with one Redis per region and one database for both. */
final class Fleet implements AutoCloseable {

  static final String HERE = "eu";
  static final String ABROAD = "us";

  private final MariaDbServer database = MariaDbServer.start();
  private final Map<String, RedisServer> redis =
      Map.of(HERE, RedisServer.start(), ABROAD, RedisServer.start());
  private final Map<String, List<NodeProcess>> nodes =
      Map.of(HERE, new ArrayList<>(), ABROAD, new ArrayList<>());

  /** Nodes that were replaced. {@link #close} checks their logs too. */
  private final List<NodeProcess> replaced = new ArrayList<>();

  private final String[] flags;
  private final Client client;

  private Fleet(int nodesPerRegion, String... flags) {
    this.flags = flags;
    for (int i = 0; i < nodesPerRegion; i++) {
      nodes.get(HERE).add(launch(HERE));
      nodes.get(ABROAD).add(launch(ABROAD));
    }
    all().forEach(NodeProcess::awaitReady);
    List<NodeProcess> withKey = all().filter(NodeProcess::hasKey).toList();
    assertThat(withKey).as("nodes that created the first key").hasSize(1);
    client = new Client(withKey.get(0).key());
    all().forEach(node -> node.await("the key", () -> hasReadKey(node)));
  }

  private boolean hasReadKey(NodeProcess node) {
    return client.mustTake(node, "first", 1, 0).status() == 200;
  }

  /**
   * Starts all nodes at once on an empty database, two in each region; returns when all are ready
   * and have the key.
   */
  static Fleet start(String... flags) {
    return new Fleet(2, flags);
  }

  /** As {@link #start}, with one node in each region. */
  static Fleet startOfOne(String... flags) {
    return new Fleet(1, flags);
  }

  /** As {@link #start}, with three nodes in each region. */
  static Fleet startOfThree() {
    return new Fleet(3);
  }

  /** Starts a node that is not part of the fleet yet. */
  NodeProcess launch(String region) {
    List<String> all = new ArrayList<>(List.of(
        "--region=" + region,
        "--redis-uri=" + redis.get(region).uri(),
        "--jdbc-url=" + database.jdbcUrl()));
    all.addAll(List.of(flags));
    return NodeProcess.launch(all.toArray(String[]::new));
  }

  /** Replaces a node of the fleet with another. */
  void replace(String region, NodeProcess old, NodeProcess fresh) {
    nodes.get(region).replaceAll(node -> node == old ? fresh : node);
    replaced.add(old);
  }

  Stream<NodeProcess> all() {
    return Stream.of(HERE, ABROAD).flatMap(region -> nodes.get(region).stream());
  }

  List<NodeProcess> nodes(String region) {
    return nodes.get(region);
  }

  /** Waits until one of these nodes reads for its region, and returns it. */
  NodeProcess awaitReader(List<NodeProcess> candidates) {
    NodeProcess.await(
        () -> "one of these to be the reader: " + candidates,
        () -> candidates.stream().filter(NodeProcess::isReading).count() == 1);
    return candidates.stream().filter(NodeProcess::isReading).findFirst().orElseThrow();
  }

  /** The nodes of a region without one of them. */
  List<NodeProcess> others(String region, NodeProcess node) {
    return nodes.get(region).stream().filter(other -> other != node).toList();
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

  void awaitStatus(Stream<NodeProcess> nodes, String status) {
    nodes.forEach(node -> node.await("status " + status, () -> node.status().equals(status)));
  }

  /**
   * Makes every node push the count of a series. The push policy holds a count back while much of
   * its limit is left, so each node receives a request that uses up a limit and costs more than the
   * policy holds back.
   *
   * @return the tokens that these requests took
   */
  long pushAll(String identifier) {
    long[] admitted = {0};
    all()
        .forEach(node -> node.await("the last tokens", () -> {
          long used = client.count(node, identifier);
          long cost = 1 + used / 40;
          boolean allowed = client.mustTake(node, identifier, used + cost, cost).success();
          admitted[0] += allowed ? cost : 0;
          return allowed;
        }));
    return admitted[0];
  }

  /** Waits until all nodes have the same count, between these bounds. */
  void awaitCount(String identifier, long least, long most) {
    NodeProcess.await(
        () -> "%s to be between %d and %d on all nodes: %s"
            .formatted(identifier, least, most, counts(identifier)),
        () -> {
          List<Long> counts = counts(identifier).stream().distinct().toList();
          return counts.size() == 1 && counts.get(0) >= least && counts.get(0) <= most;
        });
  }

  private List<Long> counts(String identifier) {
    return all().map(node -> client.count(node, identifier)).toList();
  }

  @Override
  public void close() {
    try {
      Stream.concat(all(), replaced.stream()).toList().forEach(NodeProcess::close);
    } finally {
      redis.values().forEach(RedisServer::close);
      database.close();
    }
  }
}
