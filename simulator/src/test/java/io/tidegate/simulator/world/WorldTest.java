package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes of the real limiter that exchange counts. */
class WorldTest {

  private static final long SECOND = 1_000_000_000L;
  private static final NetworkLink.Quality NEAR = NetworkLink.Quality.of(100_000, 400_000);
  private static final NetworkLink.Quality FAR = NetworkLink.Quality.of(40_000_000, 60_000_000);
  private static final LimitRequest REQUEST =
      LimitRequest.of("acme", "login", "user", Limit.perMinute(100));

  private static final class Two {

    private final World world;
    private final SimulatedRegion eu;
    private final Node here;
    private final Node beside;
    private final Node elsewhere;

    Two(long seed) {
      world = new World(seed);
      eu = world.region("eu", NEAR, FAR);
      SimulatedRegion us = world.region("us", NEAR, FAR);
      here = start(eu, "here");
      beside = start(eu, "beside");
      elsewhere = start(us, "elsewhere");
    }

    private Node start(SimulatedRegion region, String name) {
      return world.start(region, name, node -> new World.NodeCustomizer() {});
    }

    long effective(Node node) {
      List<Decision> decisions = new ArrayList<>();
      node.limiter().tryAcquireAsync(REQUEST.withCost(0)).thenAccept(decisions::add);
      world.timeline().runUntil(world.timeline().nowNanos() + SECOND);
      return decisions.get(0).effectiveCount();
    }
  }

  @Test
  void nodesShareCountsThroughTheOriginAndRegionsThroughTheDatabase() {
    Two two = new Two(1);
    for (int i = 0; i < 40; i++) {
      two.here.limiter().tryAcquireAsync(REQUEST);
    }
    WindowCell cell =
        WindowCell.at(new Series(REQUEST.scope(), REQUEST.identifier()), Node.EPOCH_MILLIS);
    two.world.timeline().runUntil(SECOND / 10);
    assertThat(two.eu.origin().total(cell)).isEqualTo(40);
    assertThat(two.effective(two.beside)).isEqualTo(40);
    two.world.timeline().runUntil(5 * SECOND);
    assertThat(two.world.database().count("eu", cell)).isEqualTo(40);
    assertThat(two.effective(two.elsewhere)).isEqualTo(40);
  }

  @Test
  void aNodeThatStartsLaterReceivesEarlierCounts() {
    Two two = new Two(1);
    for (int i = 0; i < 40; i++) {
      two.here.limiter().tryAcquireAsync(REQUEST);
    }
    two.world.timeline().runUntil(3 * SECOND);
    two.here.crash();
    Node late = two.start(two.world.region("asia", NEAR, FAR), "late");
    two.world.timeline().runUntil(5 * SECOND);
    assertThat(two.effective(late)).isEqualTo(40);
  }

  @Test
  void onePartOfAnOriginFailsAlone() {
    World world = new World(1);
    SimulatedRegion eu = world.region("eu", 2, NEAR, FAR);
    Node node = world.start(eu, "node", started -> new World.NodeCustomizer() {});
    eu.origin().service(1).worsen(Service.State.REFUSING);
    List<String> degraded = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      LimitRequest request = LimitRequest.of("acme", "login", "user_" + i, Limit.perMinute(100));
      node.limiter().tryAcquireAsync(request).thenAccept(decision -> {
        if (decision.degraded()) {
          degraded.add(request.identifier());
        }
      });
    }
    world.timeline().runUntil(SECOND);
    assertThat(degraded)
        .isNotEmpty()
        .hasSizeLessThan(20)
        .allMatch(identifier -> eu.origin().part(new Series(REQUEST.scope(), identifier)) == 1);
    for (int i = 0; i < 20; i++) {
      WindowCell cell = WindowCell.at(new Series(REQUEST.scope(), "user_" + i), Node.EPOCH_MILLIS);
      assertThat(eu.origin().total(cell)).isEqualTo(degraded.contains("user_" + i) ? 0 : 1);
    }
  }

  @Test
  void aSeedDeterminesTheWorld() {
    assertThat(story(1)).isEqualTo(story(1)).isNotEqualTo(story(2));
  }

  /** The time of the decision on each request. */
  private static List<Long> story(long seed) {
    Two two = new Two(seed);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Node node = List.of(two.here, two.beside, two.elsewhere).get(i % 3);
      two.world
          .timeline()
          .at(
              i * SECOND / 10,
              () -> node.limiter()
                  .tryAcquireAsync(REQUEST)
                  .thenAccept(decision -> times.add(
                      two.world.timeline().nowNanos() * 1_000 + decision.effectiveCount())));
    }
    two.world.timeline().runUntil(60 * SECOND);
    assertThat(times).hasSize(300);
    return times;
  }
}
