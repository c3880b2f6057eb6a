package io.tidegate.demo;

import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One region: its nodes, its Redis, and the proxy through which its nodes reach the database of all
 * regions. Faults exclude each other; queries do not wait.
 */
final class Region {

  private final String name;
  private final RedisServer redis;
  private final TcpProxy database;
  private final List<Node> nodes;

  private volatile boolean redisRunning = true;
  private volatile boolean connected = true;

  Region(String name, RedisServer redis, TcpProxy database, List<Node> nodes) {
    this.name = name;
    this.redis = redis;
    this.database = database;
    this.nodes = List.copyOf(nodes);
  }

  String name() {
    return name;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** The nodes in the order in which a client tries them: those that are ready first. */
  List<Node> candidates(int first) {
    Node preferred = nodes.get(first);
    Node other = nodes.get((first + 1) % nodes.size());
    return !preferred.isReady() && other.isReady()
        ? List.of(other, preferred)
        : List.of(preferred, other);
  }

  boolean isRedisRunning() {
    return redisRunning;
  }

  boolean isConnected() {
    return connected;
  }

  /** The process of Redis; none while it is stopped. */
  Optional<Long> redisPid() {
    return redisRunning ? Optional.of(redis.pid()) : Optional.empty();
  }

  /** How a node fails to use Redis; empty if all nodes use it. */
  Optional<Health.Dependency> redisFailure() {
    return failure(nodes.stream(), Health::origin);
  }

  /**
   * How a node fails to use the database; empty if all do. Of the nodes, those that read: another
   * one that could not read when it was its turn says so for up to a minute after the database
   * returned.
   */
  Optional<Health.Dependency> databaseFailure() {
    boolean anyReads = nodes.stream().anyMatch(Node::isReading);
    return failure(
        nodes.stream().filter(node -> !anyReads || node.isReading()), Health::globalCounters);
  }

  private static Optional<Health.Dependency> failure(
      Stream<Node> nodes, Function<Health, Health.Dependency> store) {
    return nodes
        .flatMap(node -> node.health().stream())
        .map(store)
        .filter(Health.Dependency::isDegraded)
        .findFirst();
  }

  /** Kills Redis, which loses all counts. */
  synchronized void stopRedis() {
    redisRunning = false;
    redis.kill();
  }

  /** Starts Redis again, empty. */
  synchronized void startRedis() {
    redis.restart();
    redisRunning = true;
  }

  /** Resets all connections to the database and refuses new ones. */
  synchronized void cutOff() {
    connected = false;
    database.refuse(true);
    database.reset();
  }

  synchronized void reconnect() {
    database.refuse(false);
    connected = true;
  }

  void close() {
    nodes.forEach(Node::kill);
    redis.close();
    database.close();
  }
}
