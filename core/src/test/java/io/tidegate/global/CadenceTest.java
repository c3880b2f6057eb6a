package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CadenceTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** The due times, checked every millisecond. */
  private static List<Long> due(Cadence cadence, long fromNanos, long toNanos) {
    List<Long> times = new ArrayList<>();
    for (long now = fromNanos; now < toNanos; now += SECOND / 1_000) {
      if (cadence.takeDue(now)) {
        times.add(now);
      }
    }
    return times;
  }

  @Test
  void isDueAtOnceAndThenAroundItsDueTimes() {
    List<Long> times = due(new Cadence(Duration.ofSeconds(1), 7, 42), 7, 7 + 100 * SECOND);
    assertThat(times).hasSizeBetween(100, 101);
    assertThat(times.get(0)).isEqualTo(7);
    boolean early = false;
    boolean late = false;
    for (int i = 1; i < times.size(); i++) {
      double deviation = (times.get(i) - 7 - i * SECOND) / (double) SECOND;
      assertThat(deviation).isBetween(-0.2, 0.202);
      early |= deviation < -0.1;
      late |= deviation > 0.1;
    }
    assertThat(early && late).isTrue();
  }

  @Test
  void nodesDeviateDifferently() {
    List<Long> one = due(new Cadence(Duration.ofSeconds(1), 0, 1), 0, 10 * SECOND);
    List<Long> other = due(new Cadence(Duration.ofSeconds(1), 0, 2), 0, 10 * SECOND);
    assertThat(one).isNotEqualTo(other);
    assertThat(due(new Cadence(Duration.ofSeconds(1), 0, 1), 0, 10 * SECOND)).isEqualTo(one);
  }

  @Test
  void missedTimesAreSkipped() {
    Cadence cadence = new Cadence(Duration.ofSeconds(1), 0, 42);
    assertThat(cadence.takeDue(0)).isTrue();
    assertThat(cadence.takeDue(5 * SECOND + SECOND / 2)).isTrue();
    List<Long> times = due(cadence, 5 * SECOND + SECOND / 2, 8 * SECOND + SECOND / 2);
    assertThat(times).hasSize(3);
    assertThat(times.get(0)).isBetween(6 * SECOND - SECOND / 5, 6 * SECOND + SECOND / 4);
  }

  @Test
  void slowWorkDoesNotMoveTheDueTimes() {
    Cadence cadence = new Cadence(Duration.ofSeconds(1), 0, 42);
    int runs = 0;
    for (long now = 0; now < 100 * SECOND; now += SECOND * 3 / 10) { // checked too seldom
      runs += cadence.takeDue(now) ? 1 : 0;
    }
    assertThat(runs).isBetween(97, 101);
  }

  @Test
  void timeMayBeNegative() {
    long start = Long.MIN_VALUE + 5;
    assertThat(due(new Cadence(Duration.ofSeconds(1), start, 3), start, start + 10 * SECOND))
        .hasSizeBetween(10, 11);
  }
}
