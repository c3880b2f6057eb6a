package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.report.Percentiles;
import org.junit.jupiter.api.Test;

/** In five regions of two nodes: nodes 0 and 1 are in region 0, and so on. */
class PropagationLagTest {

  private static final long SECOND = 1_000_000_000;

  private final PropagationLag lag = new PropagationLag(Fixtures.small());

  private void allOthersReceive(long count, long nowNanos) {
    for (int node = 2; node < 10; node++) {
      lag.received(node, 0, 7, count, nowNanos);
    }
  }

  @Test
  void isTheTimeUntilANodeOfAnotherRegionReceivesAToken() {
    lag.admitted(0, 7, 1, SECOND);
    lag.admitted(0, 7, 1, 2 * SECOND);
    allOthersReceive(1, 4 * SECOND);
    allOthersReceive(2, 9 * SECOND);
    assertThat(lag.seconds()).isEqualTo(new Percentiles(3, 7, 7));
    assertThat(lag.neverReceived()).isZero();
  }

  @Test
  void eachTokenIsObservedAtAnotherNode() {
    lag.admitted(0, 7, 8, SECOND);
    lag.received(5, 0, 7, 8, 2 * SECOND);
    assertThat(lag.neverReceived()).isEqualTo(7.0 / 8);
    lag.received(5, 0, 7, 8, 3 * SECOND); // a repetition changes nothing
    assertThat(lag.neverReceived()).isEqualTo(7.0 / 8);
  }

  @Test
  void tokensThatAreNeverReceivedHaveNoLag() {
    lag.admitted(0, 7, 3, SECOND);
    assertThat(lag.seconds().max()).isNaN();
    assertThat(lag.neverReceived()).isEqualTo(1);
  }

  @Test
  void rejectsCountsBeyondTheAdmittedTokens() {
    lag.admitted(0, 7, 3, SECOND);
    assertThatThrownBy(() -> lag.received(5, 0, 7, 4, 2 * SECOND))
        .hasMessage("region 0 counted 3 and pushed 4");
  }
}
