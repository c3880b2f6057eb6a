package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares limiters that are inspected between requests with limiters that are not, under the same
 * requests, clock jumps and outages.
 */
class InspectionPropertyTest {

  private static final Scope SCOPE = new Scope("acme", "login", 2_000);
  private static final Logger LOG = Logger.getLogger("io.tidegate");

  /** Each world logs its outages. */
  @BeforeAll
  static void silenceTheLog() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void restoreTheLog() {
    LOG.setLevel(null);
  }

  /**
   * A request to a node after a time, with a broken or a working origin.
   *
   * @param jumpMillis how far time advances, negative if the clock is set back
   */
  private record Step(
      int node, long jumpMillis, String identifier, long limit, long cost, boolean originFails) {

    LimitRequest request() {
      return new LimitRequest(SCOPE, identifier, limit, cost);
    }
  }

  private static List<Step> steps(Generator random) {
    return random.list(
        1,
        60,
        () -> new Step(
            random.nextInt(3),
            random.oneOf(0L, 0L, 5L, 40L, 700L, 2_000L, 4_500L, 9_000L, -100L, -2_500L, -9_000L),
            random.oneOf("a", "b", "c"),
            random.between(0, 20),
            random.between(0, 7),
            random.nextInt(8) == 0));
  }

  /** Two nodes of a region and one of another, and everything that they did. */
  private static final class World {

    private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
    private final List<InMemoryOrigin> origins =
        List.of(new InMemoryOrigin(), new InMemoryOrigin());
    private final InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    private final List<String> events = new ArrayList<>();
    private final List<RateLimiter> nodes = List.of(
        node("eu", "one", origins.get(0)),
        node("eu", "two", origins.get(0)),
        node("us", "three", origins.get(1)));

    private RateLimiter node(String region, String name, InMemoryOrigin origin) {
      return RateLimiter.builder()
          .clock(time)
          .scheduler(time)
          .region(region)
          .node(name)
          .origin(origin)
          .globalCounters(counters)
          .pushPolicy(PushPolicy.floor(0, Duration.ofMillis(100)))
          .maxSeries(2)
          .observer(new LimiterObserver() {
            @Override
            public void originAnswered(OriginOperation operation, long nanos) {
              events.add(name + " " + operation + " " + nanos);
            }

            @Override
            public void originFailed(OriginOperation operation, CallFailure failure) {
              events.add(name + " " + operation + " " + failure);
            }
          })
          .build();
    }

    void advance(Step step) {
      time.advance(Duration.ofMillis(step.jumpMillis));
      origins.get(0).fail(step.originFails ? new IllegalStateException("down") : null);
    }

    void inspectAll() {
      for (RateLimiter node : nodes) {
        for (String identifier : List.of("a", "b", "c")) {
          assertThat(node.inspect(SCOPE, identifier).toCompletableFuture()).isCompleted();
        }
      }
    }

    Decision decide(Step step) {
      return nodes.get(step.node).tryAcquire(step.request());
    }

    List<LimiterStats> stats() {
      return nodes.stream().map(RateLimiter::stats).toList();
    }

    List<WindowCell> reads() {
      return origins.stream().flatMap(origin -> origin.reads().stream()).toList();
    }

    List<OwnCount> replays() {
      return origins.stream().flatMap(origin -> origin.replays().stream()).toList();
    }

    List<Component> stores() {
      return origins.stream().flatMap(origin -> origin.stores().stream()).toList();
    }
  }

  @Test
  void inspectionsChangeNothing() {
    Property.check(40, random -> {
      World inspected = new World();
      World left = new World();
      for (Step step : steps(random)) {
        inspected.advance(step);
        left.advance(step);
        inspected.inspectAll();
        assertThat(inspected.decide(step)).isEqualTo(left.decide(step));
        inspected.inspectAll();
        assertThat(inspected.stats()).isEqualTo(left.stats());
      }
      assertThat(inspected.events).isEqualTo(left.events);
      assertThat(inspected.reads()).isEqualTo(left.reads());
      assertThat(inspected.replays()).isEqualTo(left.replays());
      assertThat(inspected.stores()).isEqualTo(left.stores());
      assertThat(inspected.counters.pushes()).isEqualTo(left.counters.pushes());
    });
  }

  /** Rotations and rebases in the copy are those of the counter itself. */
  @Test
  void inspectionOfALoneProcessForetellsTheNextDecision() {
    Property.check(400, random -> {
      VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
      RateLimiter limiter = RateLimiter.builder().clock(time).scheduler(time).build();
      for (Step step : steps(random)) {
        time.advance(Duration.ofMillis(step.jumpMillis));
        SeriesInspection found = inspect(limiter, step.identifier);
        assertThat(found.decideFromMemory(step.limit, step.cost))
            .isEqualTo(limiter.tryAcquire(step.request()));
      }
    });
  }

  /** Without an origin, no decision of a shared series reads first. */
  @Test
  void inspectionOfASharedSeriesForetellsTheNextDecision() {
    Property.check(80, random -> {
      VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
      InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
      RateLimiter limiter = RateLimiter.builder()
          .clock(time)
          .scheduler(time)
          .region("eu")
          .globalCounters(counters)
          .pushPolicy(PushPolicy.floor(0, Duration.ofMillis(100)))
          .build();
      for (Step step : steps(random)) {
        if (step.cost > 0) {
          WindowCell cell = WindowCell.at(new Series(SCOPE, step.identifier), time.millis());
          counters.push(List.of(new Component("us", cell, step.cost)));
        }
        time.advance(Duration.ofMillis(step.jumpMillis));
        SeriesInspection found = inspect(limiter, step.identifier);
        assertThat(found.decideFromMemory(step.limit, step.cost))
            .isEqualTo(limiter.tryAcquire(step.request()));
        SeriesInspection after = inspect(limiter, step.identifier);
        found.memory().ifPresent(before -> {
          assertThat(after.currentCell()).isEqualTo(found.currentCell());
          assertThat(after.memory().orElseThrow().previous()).isEqualTo(before.previous());
          assertThat(after.memory().orElseThrow().current().imported())
              .isEqualTo(before.current().imported());
        });
      }
    });
  }

  private static SeriesInspection inspect(RateLimiter limiter, String identifier) {
    return limiter.inspect(SCOPE, identifier).toCompletableFuture().join();
  }
}
