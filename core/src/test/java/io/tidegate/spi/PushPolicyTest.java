package io.tidegate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.spi.PushPolicy.CellUse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PushPolicyTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long WINDOW = 60_000;

  /** Returns the lowest count of a cell that is pushed. */
  private static long leastPushed(
      PushPolicy policy, long limit, long pushed, long headroom, int regions) {
    long count = pushed + 1;
    while (!policy.isWorthPushing(new CellUse(limit, WINDOW, count, pushed, headroom, regions))) {
      count++;
    }
    return count;
  }

  private static long floored(double fraction, long limit) {
    return leastPushed(PushPolicy.floor(fraction, SECOND), limit, 0, 0, 1);
  }

  @Test
  void floorIsTheFractionOfTheLimitRoundedUp() {
    assertThat(floored(0.5, 10)).isEqualTo(5);
    assertThat(floored(0.5, 11)).isEqualTo(6);
    assertThat(floored(0.2, 10)).isEqualTo(2);
    assertThat(floored(0.2, 11)).isEqualTo(3);
    assertThat(floored(0.7, 10)).isEqualTo(7); // in doubles, 0.7 * 10 is more than 7
    assertThat(floored(0, 10)).isEqualTo(1);
    assertThat(floored(0.2, 1)).isEqualTo(1);
    assertThat(floored(1, 10)).isEqualTo(10);
  }

  @Test
  void aboveTheFloorAnyGrowthIsPushed() {
    PushPolicy floor = PushPolicy.floor(0.5, SECOND);
    assertThat(leastPushed(floor, 10, 5, 5, 1)).isEqualTo(6);
    assertThat(floor.isWorthPushing(new CellUse(10, WINDOW, 6, 6, 4, 1))).isFalse();
  }

  private static long alone(long limit, long pushed) {
    return leastPushed(PushPolicy.adaptive(), limit, pushed, limit - pushed, 1);
  }

  @Test
  void seriesOfOneRegionIsFirstPushedAtATwentieth() {
    assertThat(alone(100, 0)).isEqualTo(5);
    assertThat(alone(101, 0)).isEqualTo(6);
    assertThat(alone(1_000, 0)).isEqualTo(50);
    assertThat(alone(20, 0)).isEqualTo(1);
    assertThat(alone(1, 0)).isEqualTo(1);
  }

  @Test
  void seriesOfOneRegionIsThenPushedWhenItDoubles() {
    assertThat(alone(100, 5)).isEqualTo(10);
    assertThat(alone(100, 13)).isEqualTo(26);
    assertThat(alone(100, 1)).isEqualTo(2);
  }

  private static long shared(long limit, long headroom, int regions) {
    return leastPushed(PushPolicy.adaptive(), limit, limit / 2, headroom, regions) - limit / 2;
  }

  @Test
  void sharedSeriesIsPushedInStepsOfItsShareOfHalfTheHeadroom() {
    assertThat(shared(1_000, 80, 2)).isEqualTo(20);
    assertThat(shared(1_000, 80, 10)).isEqualTo(4);
    assertThat(shared(1_000, 79, 10)).isEqualTo(3);
  }

  @Test
  void sharedSeriesIsPushedInStepsOfAtLeastItsShareOfAFiftieth() {
    assertThat(shared(1_000, 3, 2)).isEqualTo(10);
    assertThat(shared(1_000, 0, 10)).isEqualTo(2);
    assertThat(shared(1_000_000, 0, 10)).isEqualTo(2_000);
    assertThat(shared(100, 3, 10)).isEqualTo(1);
    assertThat(shared(10, 0, 2)).isEqualTo(1);
  }

  /** Otherwise no region would push after importing the count of the first one. */
  @Test
  void sharedSeriesIsPushedNoLaterThanOneOfASingleRegion() {
    PushPolicy adaptive = PushPolicy.adaptive();
    assertThat(leastPushed(adaptive, 1_000, 0, 900, 2)).isEqualTo(50);
    assertThat(leastPushed(adaptive, 1_000, 50, 900, 2)).isEqualTo(100);
    assertThat(leastPushed(adaptive, 1_000, 50, 900, 100)).isEqualTo(54);
  }

  @Test
  void intervalsAreBounded() {
    assertThat(PushPolicy.adaptive().interval()).hasMillis(250);
    assertThat(PushPolicy.adaptive(Duration.ofMillis(100)).interval()).hasMillis(100);
    assertThatThrownBy(() -> PushPolicy.adaptive(Duration.ofMillis(99)))
        .hasMessage("interval must be between PT0.1S and PT1H: PT0.099S");
    assertThatThrownBy(() -> PushPolicy.floor(0.5, Duration.ofHours(2)))
        .hasMessage("interval must be between PT0.1S and PT1H: PT2H");
    assertThatThrownBy(() -> PushPolicy.floor(1.5, SECOND))
        .hasMessage("fraction must be between 0 and 1: 1.5");
    assertThatThrownBy(() -> PushPolicy.floor(Double.NaN, SECOND))
        .hasMessage("fraction must be between 0 and 1: NaN");
  }
}
