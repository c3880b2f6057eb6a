package io.tidegate.demo;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.Ports;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of the demo: one MariaDB, and for each region a Redis and two nodes. Closing it ends
 * all processes and deletes their files, also of a fleet that has not started completely.
 * Thread-safe.
 */
final class Fleet implements AutoCloseable {

  static final List<String> REGIONS = List.of("eu", "us", "ap");
  static final int NODES_PER_REGION = 2;

  private final String rootKey = randomHex();
  private final Path logs;
  private final Guard guard = new Guard();
  private final Set<Integer> ports = new HashSet<>();

  /** What has started, in this order. Guarded by this, like the next two. */
  private final List<Region> regions = new ArrayList<>();

  private @Nullable MariaDbServer database;
  private boolean closed;

  Fleet() {
    try {
      logs = Files.createTempDirectory("tidegate-demo-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a directory for logs", e);
    }
  }

  static String randomHex() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  synchronized void startDatabase() {
    checkOpen();
    database = MariaDbServer.start();
    watchProcesses();
  }

  /** Starts the Redis of a region; its nodes are started by {@link #launch}. */
  synchronized void startRegion(String name) {
    checkOpen();
    MariaDbServer server = Objects.requireNonNull(database, "the database is started first");
    RedisServer redis = RedisServer.start();
    TcpProxy proxy = TcpProxy.start(server.port());
    List<Node> nodes = new ArrayList<>();
    for (int i = 1; i <= NODES_PER_REGION; i++) {
      String node = name + "-" + i;
      nodes.add(new Node(
          node,
          freePort(),
          freePort(),
          rootKey,
          logs,
          List.of(
              "--region=" + name,
              "--node=" + node,
              "--redis-uri=" + redis.uri(),
              "--jdbc-url=jdbc:mariadb://127.0.0.1:" + proxy.port() + "/tidegate?user=root")));
    }
    regions.add(new Region(name, redis, proxy, nodes));
    watchProcesses();
  }

  /** Different ports each time: nodes bind theirs later. */
  private int freePort() {
    int port = Ports.free();
    while (!ports.add(port)) {
      port = Ports.free();
    }
    return port;
  }

  /** Starts the process of a node, unless the fleet is closed. */
  synchronized void launch(Node node) {
    checkOpen();
    node.launch();
    watchProcesses();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the demo is ending");
    }
  }

  /** Tells the guard which processes run; called after each change. */
  synchronized void watchProcesses() {
    if (closed) {
      return;
    }
    List<Long> pids = new ArrayList<>();
    if (database != null) {
      pids.add(database.pid());
    }
    regions.forEach(region -> region.redisPid().ifPresent(pids::add));
    nodes().map(Node::pid).filter(Objects::nonNull).forEach(pids::add);
    guard.watch(pids);
  }

  synchronized List<Region> regions() {
    return List.copyOf(regions);
  }

  /**
   * The region of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  Region region(String name) {
    return regions().stream()
        .filter(region -> region.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown region: " + name));
  }

  Stream<Node> nodes() {
    return regions().stream().flatMap(region -> region.nodes().stream());
  }

  /** The root key of all nodes. */
  String rootKey() {
    return rootKey;
  }

  /** The directory with one log file for each node. */
  Path logs() {
    return logs;
  }

  /** Kills all processes: what they have counted is of no further use. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    regions.forEach(Region::close);
    if (database != null) {
      database.close();
    }
    guard.close();
    deleteLogs();
  }

  private void deleteLogs() {
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("tidegate: cannot delete " + logs + ": " + e);
    }
  }
}
