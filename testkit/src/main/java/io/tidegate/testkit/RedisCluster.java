package io.tidegate.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of three masters on loopback, without replicas: while one of them is down, its
 * slots are unavailable and the others work.
 */
public final class RedisCluster implements AutoCloseable {

  /** The smallest cluster in which a majority can declare a master dead. */
  private static final int MASTERS = 3;

  private static final int SLOTS = 16_384;

  /** A new master waits 2 s before it serves; the rest is for busy machines. */
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);

  private final List<RedisServer> masters = new ArrayList<>();

  private RedisCluster() {}

  /** Starts the masters, assigns the slots and returns when all masters report a ready cluster. */
  public static RedisCluster start() {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < MASTERS; i++) {
        cluster.startMaster(i);
      }
      cluster.masters.forEach(RedisCluster::awaitReady);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startMaster(int index) {
    // A master counts as dead after 1 s instead of 15 s, for shorter tests.
    RedisServer master = RedisServer.start(
        "--cluster-enabled", "yes",
        "--cluster-node-timeout", "1000",
        "--cluster-require-full-coverage", "no");
    masters.add(master);
    // One by one: Redis 6.2 does not support ranges of slots.
    Stream<String> slots = IntStream.range(0, SLOTS)
        .filter(slot -> masterOf(slot) == index)
        .mapToObj(Integer::toString);
    master.call(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
    // Distinct epochs, which the masters would otherwise have to negotiate.
    master.call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(index + 1));
    if (index > 0) {
      masters.get(0).call("CLUSTER", "MEET", "127.0.0.1", Integer.toString(master.port()));
    }
  }

  private static int masterOf(int slot) {
    return slot * MASTERS / SLOTS;
  }

  private static void awaitReady(RedisServer master) {
    // Slots and masters are counted, because a node without any peer reports an ok state too.
    List<String> ready =
        List.of("cluster_state:ok", "cluster_slots_ok:" + SLOTS, "cluster_size:" + MASTERS);
    if (!Waiting.until(READY_TIMEOUT, () -> info(master).lines().toList().containsAll(ready))) {
      throw new IllegalStateException(
          "the cluster is not ready; " + master.uri() + " reports:\n" + info(master));
    }
  }

  private static String info(RedisServer master) {
    return master.call("CLUSTER", "INFO").get(0);
  }

  public List<RedisServer> masters() {
    return List.copyOf(masters);
  }

  public List<String> uris() {
    return masters.stream().map(RedisServer::uri).toList();
  }

  /** The master of a key, alive or not, according to one that is alive. */
  public RedisServer masterOf(String key) {
    RedisServer answering = masters.stream()
        .filter(RedisServer::isAnswering)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no master is running"));
    return masters.get(
        masterOf(Integer.parseInt(answering.call("CLUSTER", "KEYSLOT", key).get(0))));
  }

  @Override
  public void close() {
    masters.forEach(RedisServer::close);
  }
}
