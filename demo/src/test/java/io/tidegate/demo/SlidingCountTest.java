package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlidingCountTest {

  private static final long WINDOW = 60_000;

  private final SlidingCount count = new SlidingCount(WINDOW);

  @Test
  void addsTheTokensOfOneWindow() {
    count.admit(3, WINDOW, 10_000);
    count.admit(4, WINDOW, 20_000);
    assertThat(count.at(30_000)).isEqualTo(7);
  }

  @Test
  void countsThePartOfThePreviousWindowThatOverlaps() {
    count.admit(100, WINDOW, 10_000);
    count.admit(7, 2 * WINDOW, WINDOW);
    assertThat(count.at(WINDOW)).isEqualTo(107);
    assertThat(count.at(WINDOW + 15_000)).isEqualTo(75 + 7);
    assertThat(count.at(WINDOW + 59_999)).isEqualTo(7); // 100 / 60,000, rounded down
  }

  @Test
  void dropsWindowsThatNoLongerCount() {
    count.admit(100, WINDOW, 10_000);
    count.admit(7, 2 * WINDOW, WINDOW + 1);
    count.admit(1, 4 * WINDOW, 3 * WINDOW);
    assertThat(count.at(3 * WINDOW)).isEqualTo(1);
    assertThat(count.at(5 * WINDOW)).isZero();
  }

  /** The answer states the window in which a node counted; it may arrive in the next one. */
  @Test
  void countsALateAnswerInTheWindowOfItsDecision() {
    count.admit(60, WINDOW, WINDOW + 30_000);
    assertThat(count.at(WINDOW + 30_000)).isEqualTo(30);
    assertThat(count.most()).isEqualTo(60);
  }

  @Test
  void keepsTheHighestCountUntilItIsReset() {
    count.admit(90, WINDOW, 10_000);
    count.admit(1, 2 * WINDOW, WINDOW + 30_000);
    assertThat(count.most()).isEqualTo(90);
    count.resetMost(WINDOW + 30_000);
    assertThat(count.most()).isEqualTo(46);
  }

  @Test
  void statesACountAsAMultipleOfTheLimit() {
    assertThat(User.timesLimit(User.LIMIT)).isEqualTo(1.0);
    assertThat(User.timesLimit(3 * User.LIMIT / 2)).isEqualTo(1.5);
  }
}
