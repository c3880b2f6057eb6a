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

  private final List<RedisServer> masters;

  private RedisCluster(List<RedisServer> masters) {
    this.masters = List.copyOf(masters);
  }

  /** Starts the masters, assigns the slots and returns when all masters report a ready cluster. */
  public static RedisCluster start() {
    List<RedisServer> servers = new ArrayList<>();
    try {
      for (int i = 0; i < MASTERS; i++) {
        // A master counts as dead after 1 s instead of 15 s, for shorter tests.
        servers.add(RedisServer.start(
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", "1000",
            "--cluster-require-full-coverage", "no"));
      }
      RedisCluster cluster = new RedisCluster(servers);
      cluster.join();
      cluster.awaitReady();
      return cluster;
    } catch (RuntimeException e) {
      servers.forEach(RedisServer::close);
      throw e;
    }
  }

  public List<RedisServer> masters() {
    return masters;
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
    int slot = Integer.parseInt(answering.call("CLUSTER", "KEYSLOT", key).get(0));
    return masters.get(slot * MASTERS / SLOTS);
  }

  @Override
  public void close() {
    masters.forEach(RedisServer::close);
  }

  private void join() {
    for (int i = 0; i < MASTERS; i++) {
      RedisServer master = masters.get(i);
      master.call(addSlots(firstSlot(i), firstSlot(i + 1)));
      // Distinct epochs, which the masters would otherwise have to negotiate.
      master.call("CLUSTER", "SET-CONFIG-EPOCH", text(i + 1));
    }
    for (RedisServer master : masters.subList(1, MASTERS)) {
      masters.get(0).call("CLUSTER", "MEET", "127.0.0.1", text(master.port()));
    }
  }

  /** One by one: Redis 6.2 does not support ranges. */
  private static String[] addSlots(int from, int until) {
    Stream<String> slots = IntStream.range(from, until).mapToObj(RedisCluster::text);
    return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new);
  }

  /** Rounded up, so that slot * MASTERS / SLOTS rounded down is the master of a slot. */
  private static int firstSlot(int master) {
    return (master * SLOTS + MASTERS - 1) / MASTERS;
  }

  private void awaitReady() {
    for (RedisServer master : masters) {
      if (!Waiting.until(READY_TIMEOUT, () -> isReady(master))) {
        throw new IllegalStateException("the cluster is not ready; " + master.uri()
            + " reports:\n" + master.call("CLUSTER", "INFO").get(0)
            + master.call("CLUSTER", "NODES").get(0));
      }
    }
  }

  /** Counts slots and masters, because a node without any peer reports an ok state too. */
  private static boolean isReady(RedisServer master) {
    List<String> info = master.call("CLUSTER", "INFO").get(0).lines().toList();
    return info.containsAll(
        List.of("cluster_state:ok", "cluster_slots_ok:" + SLOTS, "cluster_size:" + MASTERS));
  }

  private static String text(int number) {
    return Integer.toString(number);
  }
}
