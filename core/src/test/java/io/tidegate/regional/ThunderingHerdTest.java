package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The windows of all series end at the same instant; their requests must not all wait. */
class ThunderingHerdTest {

  private static final int SERIES = 10_000;

  private final Fleet fleet = new Fleet();
  private final RateLimiter node = fleet.node();

  @Test
  void tenThousandWarmSeriesRotateWithoutWaits() {
    fleet.time.advance(Duration.ofSeconds(49)); // a second before the end of the cell
    warmUp(3); // of 10
    fleet.origin.clearCalls();
    fleet.origin.hold();
    assertThat(waitingRequests()).isZero();
    assertThat(fleet.origin.reads()).hasSize(SERIES); // one each, in the background
    assertThat(waitingRequests()).isZero();
    assertThat(fleet.origin.reads()).hasSize(SERIES); // no second one
  }

  @Test
  void seriesNearTheirLimitWaitForOneReadEach() {
    fleet.time.advance(Duration.ofSeconds(49));
    warmUp(8); // of 10
    fleet.origin.clearCalls();
    fleet.origin.hold();
    assertThat(waitingRequests()).isEqualTo(SERIES);
    assertThat(waitingRequests()).isEqualTo(SERIES);
    assertThat(fleet.origin.reads()).hasSize(SERIES);
  }

  private void warmUp(long cost) {
    IntStream.range(0, SERIES).forEach(i -> fleet.take(node, "user_" + i, 10, cost));
    fleet.time.advance(Duration.ofSeconds(1));
  }

  private long waitingRequests() {
    return IntStream.range(0, SERIES)
        .filter(i -> !fleet.takeAsync(node, "user_" + i, 10, 1).isDone())
        .count();
  }
}
