package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills parts of a fleet under load: the other parts answer every request in time, and afterwards
 * all nodes converge to the admitted count.
 */
@Timeout(180)
class FleetFailureTest {

  private static final Duration PHASE = Duration.ofSeconds(1);

  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet = Fleet.startOfThree();
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  /**
   * A node sends its counts every 10 ms. The bound is what it admitted in the last second, to allow
   * for a busy machine.
   */
  @Test
  void killedNodeLosesOnlyItsLastCounts() {
    try (Load load = Load.on("node", fleet.client(), fleet.all())) {
      load.runFor(PHASE);
      Load.Worker doomed = load.workers().get(0);
      NodeProcess node = fleet.nodes(Fleet.HERE).get(0);
      long[] confirmed =
          IntStream.range(0, Load.SERIES).mapToLong(doomed::admitted).toArray();
      load.runFor(PHASE);
      doomed.expectFailure();
      node.kill();
      load.runFor(PHASE);
      NodeProcess fresh = fleet.launch(Fleet.HERE).awaitReady();
      fleet.replace(Fleet.HERE, node, fresh);
      load.add(fleet.client(), fresh);
      load.runFor(PHASE);
      load.stop();
      long[] lost = IntStream.range(0, Load.SERIES)
          .mapToLong(i -> doomed.admitted(i) - confirmed[i])
          .toArray();
      // The last request may be counted but not answered.
      load.awaitCounts(fleet, lost, Load.MAX_COST);
    }
  }

  /** The lease of a killed reader ends after three seconds. */
  @Test
  void killedReaderIsReplacedAndCountsOfOtherRegionsArrive() {
    NodeProcess reader = fleet.awaitReader(fleet.nodes(Fleet.HERE));
    List<NodeProcess> others = fleet.others(Fleet.HERE, reader);
    Stream<NodeProcess> loaded = Stream.concat(others.stream(), fleet.nodes(Fleet.ABROAD).stream());
    try (Load load = Load.on("reader", fleet.client(), loaded)) {
      load.runFor(PHASE);
      reader.kill();
      assertThat(fleet.awaitReader(others)).isNotSameAs(reader);
      load.runFor(PHASE);
      fleet.replace(Fleet.HERE, reader, fleet.launch(Fleet.HERE).awaitReady());
      load.stop();
      load.awaitCounts(fleet);
    }
  }

  /** A frozen reader takes itself for the reader when it continues, until its next registration. */
  @Test
  void frozenReaderIsReplacedAndReturnsAsAnyOtherNode() {
    NodeProcess reader = fleet.awaitReader(fleet.nodes(Fleet.HERE));
    List<NodeProcess> others = fleet.others(Fleet.HERE, reader);
    Stream<NodeProcess> loaded = Stream.concat(others.stream(), fleet.nodes(Fleet.ABROAD).stream());
    try (Load load = Load.on("frozen", fleet.client(), loaded)) {
      load.runFor(PHASE);
      reader.signal("STOP");
      fleet.awaitReader(others);
      load.runFor(PHASE);
      reader.signal("CONT");
      load.runFor(PHASE);
      load.stop();
      load.awaitCounts(fleet);
      assertThat(fleet.awaitReader(fleet.nodes(Fleet.HERE))).isNotSameAs(reader);
    }
  }

  @Test
  void killedRedisReceivesAllCountsAgain() {
    try (Load load = Load.on("redis", fleet.client(), fleet.all())) {
      load.runFor(PHASE);
      fleet.redis(Fleet.HERE).kill();
      fleet.awaitStatus(fleet.nodes(Fleet.HERE).stream(), "degraded");
      load.runFor(PHASE);
      fleet.redis(Fleet.HERE).restart(); // empty
      fleet.awaitStatus(fleet.all(), "ok");
      load.runFor(PHASE);
      load.stop();
      load.awaitCounts(fleet);
    }
  }

  @Test
  void killedDatabaseReceivesAllCountsAfterItsRestart() {
    try (Load load = Load.on("database", fleet.client(), fleet.all())) {
      load.runFor(PHASE);
      fleet.database().kill();
      fleet.awaitStatus(fleet.all(), "degraded");
      load.runFor(PHASE);
      fleet.database().restart();
      fleet.awaitStatus(fleet.all(), "ok");
      load.runFor(PHASE);
      load.stop();
      load.awaitCounts(fleet);
    }
  }
}
