package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import io.tidegate.RateLimiter;
import io.tidegate.model.Series;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.testing.contract.RegionalOriginContract;
import io.tidegate.testkit.RedisCluster;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract on a cluster of three masters, and failures of single masters. */
class RedisClusterTest extends RegionalOriginContract {

  private static RedisCluster shared;
  private static RedisOrigin origin;

  @BeforeAll
  static void start() {
    shared = RedisCluster.start();
    origin = connect(shared);
  }

  @AfterAll
  static void stop() {
    origin.close();
    shared.close();
  }

  private static RedisOrigin connect(RedisCluster cluster) {
    return RedisOrigin.connectCluster(cluster.uris().toArray(String[]::new));
  }

  @Override
  protected RegionalOrigin origin() {
    return origin;
  }

  @Test
  void killedMasterLosesNoCountAndOthersContinue() {
    try (RedisCluster cluster = RedisCluster.start();
        Nodes nodes = new Nodes()) {
      nodes.add(connect(cluster));
      nodes.add(connect(cluster));
      List<String> series = IntStream.range(0, 300).mapToObj(i -> "user_" + i).toList();
      takeFromAll(nodes, series, 2);
      Nodes.await("all counts to be confirmed", () -> haveTotals(cluster, series, 4));

      RedisServer dead = cluster.masterOf(Nodes.key("user_0"));
      List<String> there = series.stream()
          .filter(each -> cluster.masterOf(Nodes.key(each)) == dead)
          .toList();
      List<String> elsewhere =
          series.stream().filter(each -> !there.contains(each)).toList();
      assertThat(there).isNotEmpty();
      dead.kill();

      takeFromAll(nodes, series, 3); // no request fails
      Nodes.await("the counts on other masters", () -> haveTotals(cluster, elsewhere, 10));
      assertThat(nodes.areConfirmed()).isFalse();
      for (String each : elsewhere) {
        Nodes.await(
            "counts on other masters to be read", () -> Nodes.count(nodes.get(0), each) == 10);
      }

      dead.restart(); // without data
      Nodes.await("all totals", () -> haveTotals(cluster, series, 10));
      Nodes.await("all counts to be confirmed", nodes::areConfirmed);
      cluster.masters().forEach(Nodes::checkEveryKeyExpires);
    }
  }

  /**
   * Stops each master in turn, since the client watches the connection to one of them. The bound is
   * not zero because on a busy machine a read may take longer than a request waits.
   */
  @Test
  void deadMasterDoesNotAffectSeriesOfOtherMasters() {
    try (RedisCluster cluster = RedisCluster.start();
        Nodes nodes = new Nodes()) {
      RateLimiter node = nodes.add(connect(cluster));
      for (int dead = 0; dead < 3; dead++) {
        int index = dead;
        Iterator<String> there = newSeries(each -> masterIndexOf(each) == index);
        Iterator<String> elsewhere = newSeries(each -> masterIndexOf(each) != index);
        for (int i = 0; i < 20; i++) {
          Nodes.await("reads that succeed", () -> !isDegraded(node, elsewhere.next()));
        }
        cluster.masters().get(dead).kill();
        assertThat(degradedElsewhere(node, there, elsewhere))
            .as("degraded of 400 while master %s is dead", dead)
            .isLessThan(20);
        cluster.masters().get(dead).restart();
        Nodes.await("the master to be read again", () -> !isDegraded(node, there.next()));
      }
    }
  }

  private static Iterator<String> newSeries(Predicate<String> condition) {
    return Stream.generate(() -> UUID.randomUUID().toString()).filter(condition).iterator();
  }

  /** Counts degraded decisions among 400 for new series on other masters, while 800 others fail. */
  private static int degradedElsewhere(
      RateLimiter node, Iterator<String> there, Iterator<String> elsewhere) {
    int degraded = 0;
    for (int i = 0; i < 400; i++) {
      node.tryAcquireAsync(Nodes.request(there.next(), 1_000, 1));
      node.tryAcquireAsync(Nodes.request(there.next(), 1_000, 1));
      degraded += isDegraded(node, elsewhere.next()) ? 1 : 0;
    }
    return degraded;
  }

  private static boolean isDegraded(RateLimiter node, String identifier) {
    return Nodes.take(node, identifier, 1_000, 1).degraded();
  }

  /** The paused master accepts connections but does not answer, and is not connected yet. */
  @Test
  void pausedMasterLosesNoCountAndOthersContinue() {
    try (RedisCluster cluster = RedisCluster.start();
        Nodes nodes = new Nodes()) {
      RateLimiter node = nodes.add(connect(cluster));
      RedisServer paused = cluster.masterOf(Nodes.key("user_0"));
      paused.pause();
      List<String> series = IntStream.range(0, 60).mapToObj(i -> "user_" + i).toList();
      for (String each : series) {
        long before = System.nanoTime();
        assertThat(Nodes.take(node, each, 1_000, 2).allowed()).isTrue();
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        assertThat(took).as(each).isLessThan(Duration.ofMillis(900)); // 300, on a busy machine
      }
      List<String> elsewhere = series.stream()
          .filter(each -> cluster.masters().indexOf(paused) != masterIndexOf(each))
          .toList();
      assertThat(elsewhere).isNotEmpty().hasSizeLessThan(60);
      Nodes.await(
          "the counts on other masters",
          () -> elsewhere.stream()
              .allMatch(
                  each -> Nodes.total(cluster.masters().get(masterIndexOf(each)), each) == 2));
      paused.resume();
      Nodes.await("all totals", () -> haveTotals(cluster, series, 2));
    }
  }

  private static int masterIndexOf(String identifier) {
    return SlotHash.getSlot(Nodes.key(identifier)) * 3 / SlotHash.SLOT_COUNT;
  }

  @Test
  void movedSlotIsReadAndWrittenOnItsNewMaster() {
    try (RedisCluster cluster = RedisCluster.start();
        Nodes nodes = new Nodes()) {
      RateLimiter node = nodes.add(connect(cluster));
      Nodes.take(node, "elsewhere", 1_000, 1);
      String slot = Integer.toString(SlotHash.getSlot(Nodes.key("user")));
      RedisServer from = cluster.masterOf(Nodes.key("user"));
      RedisServer to =
          cluster.masters().stream().filter(each -> each != from).findFirst().orElseThrow();
      String id = to.call("CLUSTER", "MYID").get(0);
      to.call("CLUSTER", "SETSLOT", slot, "NODE", id);
      cluster.masters().forEach(each -> each.call("CLUSTER", "SETSLOT", slot, "NODE", id));
      Nodes.take(node, "user", 1_000, 3);
      Nodes.await("the count on its new master", nodes::areConfirmed);
      assertThat(Nodes.total(to, "user")).isEqualTo(3);
      Nodes.await(
          "a read from its new master", () -> !Nodes.take(node, "user", 10, 0).degraded());
    }
  }

  @Test
  void partsAreTheMasters() {
    for (RedisServer master : shared.masters()) {
      String id = master.call("CLUSTER", "MYID").get(0);
      List<String> there = IntStream.range(0, 100)
          .mapToObj(i -> "user_" + i)
          .filter(each -> shared.masterOf(Nodes.key(each)) == master)
          .toList();
      assertThat(there).isNotEmpty().allMatch(each -> part(origin, each).equals(id));
    }
  }

  private static String part(RedisOrigin origin, String identifier) {
    return origin.part(Nodes.REGION, new Series(Nodes.SCOPE, identifier));
  }

  @Test
  void partFollowsAFailover() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisServer replica = RedisServer.start(
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", "1000",
            "--repl-diskless-sync-delay", "0");
        RedisOrigin connected = connect(cluster)) {
      RedisServer master = cluster.masterOf(Nodes.key("user"));
      String masterId = master.call("CLUSTER", "MYID").get(0);
      String replicaId = replica.call("CLUSTER", "MYID").get(0);
      assertThat(part(connected, "user")).isEqualTo(masterId);
      replica.call("CLUSTER", "MEET", "127.0.0.1", Integer.toString(master.port()));
      Nodes.await("the replica to list the master", () -> nodes(replica).contains(masterId));
      replica.call("CLUSTER", "REPLICATE", masterId);
      Nodes.await(
          "the replica to be in sync",
          () -> replica.call("INFO", "replication").get(0).contains("master_link_status:up"));
      RedisServer other =
          cluster.masters().stream().filter(each -> each != master).findFirst().orElseThrow();
      Nodes.await("the other master to list the replica", () -> nodes(other).contains(replicaId));
      master.kill();
      Nodes.await("the replica to take over", () -> part(connected, "user").equals(replicaId));
    }
  }

  private static String nodes(RedisServer server) {
    return server.call("CLUSTER", "NODES").get(0);
  }

  @Test
  void slotWithoutMasterHasAnEmptyPart() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisOrigin connected = connect(cluster)) {
      assertThat(part(connected, "user")).isNotEmpty();
      String slot = Integer.toString(SlotHash.getSlot(Nodes.key("user")));
      cluster.masters().forEach(each -> each.call("CLUSTER", "DELSLOTS", slot));
      Nodes.await("the slot to be lost", () -> part(connected, "user").isEmpty());
    }
  }

  private static void takeFromAll(Nodes nodes, List<String> series, long cost) {
    for (String each : series) {
      nodes.all.forEach(
          node -> assertThat(Nodes.take(node, each, 1_000, cost).allowed()).isTrue());
    }
  }

  private static boolean haveTotals(RedisCluster cluster, List<String> series, long total) {
    try {
      return series.stream()
          .allMatch(each -> Nodes.total(cluster.masterOf(Nodes.key(each)), each) == total);
    } catch (IllegalStateException e) { // a master that was just restarted has not joined yet
      return false;
    }
  }
}
