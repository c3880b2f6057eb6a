package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {

  private record Time(String contender, int round, double nanos) {}

  private final Rounds<Time> times = new Rounds<>(List.of(
      new Time("ours", 1, 10),
      new Time("theirs", 1, 20),
      new Time("ours", 2, 100), // a slow round, for both
      new Time("theirs", 2, 300)));

  private Rounds<Time> of(String contender) {
    return times.where(time -> time.contender.equals(contender));
  }

  @Test
  void figuresAreThoseOfTheSelectedRows() {
    assertThat(of("theirs").of(Time::nanos)).isEqualTo(new Spread(160, 20, 300, 2));
    assertThat(of("others").isEmpty()).isTrue();
  }

  @Test
  void ratiosCompareFiguresOfTheSameRound() {
    assertThat(of("theirs")
            .of(times.ratioTo(time -> time.contender.equals("ours"), Time::round, Time::nanos)))
        .isEqualTo(new Spread(2.5, 2, 3, 2));
  }

  @Test
  void ratioToARowThatIsMissingFails() {
    assertThatThrownBy(
            () -> of("theirs").of(times.ratioTo(time -> false, Time::round, Time::nanos)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void firstIsTheEarliestRowThatSatisfiesTheCondition() {
    assertThat(times.first(time -> time.nanos > 10)).isEqualTo(new Time("theirs", 1, 20));
  }
}
