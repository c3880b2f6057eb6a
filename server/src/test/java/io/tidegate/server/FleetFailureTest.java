package io.tidegate.server;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A fleet of which parts are killed while it is asked: those that live answer every request in
 * time, and afterwards all know what was accepted.
 */
@Timeout(180)
class FleetFailureTest {

  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet = Fleet.start();
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  /** It tells every 10 ms; how much may be lost is told here with room for a busy machine. */
  @Test
  void aKilledNodeTakesItsLastTickWithIt() {
    try (Load load = Load.on("node", fleet.client(), fleet.all())) {
      load.goOnFor(A_WHILE);
      Load.Worker doomed = load.workers().get(0);
      NodeProcess node = fleet.nodes(Fleet.HERE).get(0);
      long[] told = IntStream.range(0, Load.SERIES).mapToLong(doomed::accepted).toArray();
      load.goOnFor(A_WHILE);
      doomed.expectEnd();
      node.kill();
      load.goOnFor(A_WHILE);
      NodeProcess fresh = fleet.launch(Fleet.HERE).awaitReady();
      fleet.replace(Fleet.HERE, node, fresh);
      load.add(fleet.client(), fresh);
      load.goOnFor(A_WHILE);
      load.stop();
      long[] lost = IntStream.range(0, Load.SERIES)
          .mapToLong(i -> doomed.accepted(i) - told[i])
          .toArray();
      load.awaitCounts(fleet, lost, Load.MOST_COST); // the last may be counted and not answered
    }
  }

  @Test
  void aKilledRedisIsToldEverythingAgain() {
    try (Load load = Load.on("redis", fleet.client(), fleet.all())) {
      load.goOnFor(A_WHILE);
      fleet.redis(Fleet.HERE).kill();
      fleet.awaitStatus(fleet.nodes(Fleet.HERE).stream(), "degraded");
      load.goOnFor(A_WHILE);
      fleet.redis(Fleet.HERE).restart(); // which is empty then
      fleet.awaitStatus(fleet.all(), "ok");
      load.goOnFor(A_WHILE);
      load.stop();
      load.awaitCounts(fleet);
    }
  }

  @Test
  void aKilledDatabaseHearsEverythingLater() {
    try (Load load = Load.on("database", fleet.client(), fleet.all())) {
      load.goOnFor(A_WHILE);
      fleet.database().kill();
      fleet.awaitStatus(fleet.all(), "degraded");
      load.goOnFor(A_WHILE);
      fleet.database().restart();
      fleet.awaitStatus(fleet.all(), "ok");
      load.goOnFor(A_WHILE);
      load.stop();
      load.awaitCounts(fleet);
    }
  }
}
