package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Overshoot of a limit that ten regions use evenly: the table of the decision page on pushing. */
class AccuracyTest {

  private static final int REGIONS = 10;
  private static final long LIMIT = 1_000;
  private static final Duration DURATION = Duration.ofMinutes(5);

  /** As in the reference design, which publishes windows of a minute and more. */
  private static final PushPolicy RFC =
      PushPolicy.floor(0.5, Duration.ofSeconds(10)).withShortestWindow(Duration.ofMinutes(1));

  private final World world = new World();

  /**
   * The most that was admitted in any 60 s, by the limit.
   *
   * @param offered requests per window, as a multiple of the limit
   */
  private double worst(PushPolicy policy, int offered) {
    world.policy = policy;
    List<RateLimiter> regions = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      // named, because the jitter of a random name would make results vary
      regions.add(world.builder("region_" + i).node("node_" + i).build());
    }
    world.time.advance(Duration.ofSeconds(50)); // to the start of a window
    long requests = offered * LIMIT * DURATION.toMillis() / World.WINDOW;
    Deque<Long> admitted = new ArrayDeque<>();
    int most = 0;
    long start = world.time.millis();
    for (int i = 0; i < requests; i++) {
      long at = start + i * DURATION.toMillis() / requests;
      world.time.advance(Duration.ofMillis(at - world.time.millis()));
      if (world.take(regions.get(i % REGIONS), "user", LIMIT, 1).allowed()) {
        admitted.add(at);
      }
      while (!admitted.isEmpty() && admitted.peek() <= at - World.WINDOW) {
        admitted.remove();
      }
      most = Math.max(most, admitted.size());
    }
    return most / (double) LIMIT;
  }

  @Test
  void adaptiveAtTwiceTheLimit() {
    assertThat(worst(PushPolicy.adaptive(), 2)).isBetween(1.0, 1.1);
  }

  @Test
  void adaptiveAtTenTimesTheLimit() {
    assertThat(worst(PushPolicy.adaptive(), 10)).isBetween(1.0, 1.35);
  }

  @Test
  void floorOfHalfAtTwiceTheLimit() {
    assertThat(worst(RFC, 2)).isBetween(1.5, 2.1);
  }

  @Test
  void floorOfHalfAtTenTimesTheLimit() {
    assertThat(worst(RFC, 10)).isBetween(5.0, 10.0);
  }

  /** The cost where no other region uses the series. */
  @Test
  void oneRegionAlonePushesFewRows() {
    RateLimiter eu = world.node("eu");
    world.time.advance(Duration.ofSeconds(50));
    for (int i = 0; i < 5 * LIMIT; i++) {
      world.take(eu, "user", LIMIT, 1);
      world.time.advance(Duration.ofMillis(World.WINDOW / LIMIT));
    }
    assertThat(world.counters.pushes()).hasSizeBetween(5 * 4, 5 * 5);
  }
}
