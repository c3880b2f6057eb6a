package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.report.Percentiles;
import org.junit.jupiter.api.Test;

/** In five regions of two nodes: nodes 0 and 1 are in region 0, and so on. */
class PropagationLagTest {

  private static final long SECOND = 1_000_000_000;

  private final PropagationLag lag = new PropagationLag(Fixtures.small());

  private void everybodyElseIsTold(long count, long nowNanos) {
    for (int node = 2; node < 10; node++) {
      lag.told(node, 0, 7, count, nowNanos);
    }
  }

  @Test
  void isTheTimeUntilANodeOfAnotherRegionIsTold() {
    lag.accepted(0, 7, 1, SECOND);
    lag.accepted(0, 7, 1, 2 * SECOND);
    everybodyElseIsTold(1, 4 * SECOND);
    everybodyElseIsTold(2, 9 * SECOND);
    assertThat(lag.seconds()).isEqualTo(new Percentiles(3, 7, 7));
    assertThat(lag.untold()).isZero();
  }

  @Test
  void eachTokenIsWatchedAtAnotherNode() {
    lag.accepted(0, 7, 8, SECOND);
    lag.told(5, 0, 7, 8, 2 * SECOND);
    assertThat(lag.untold()).isEqualTo(7.0 / 8);
    lag.told(5, 0, 7, 8, 3 * SECOND); // once more, which is no news
    assertThat(lag.untold()).isEqualTo(7.0 / 8);
  }

  @Test
  void whatNobodyIsToldHasNoLag() {
    lag.accepted(0, 7, 3, SECOND);
    assertThat(lag.seconds()).isNull();
    assertThat(lag.untold()).isEqualTo(1);
  }

  @Test
  void noCountIsMoreThanTheTruth() {
    lag.accepted(0, 7, 3, SECOND);
    assertThatThrownBy(() -> lag.told(5, 0, 7, 4, 2 * SECOND))
        .hasMessage("region 0 counted 3 and told 4");
  }
}
