package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void medianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(4, 1, 9, 3));
  }

  @Test
  void medianOfAnEvenNumberIsHalfway() {
    assertThat(Spread.of(9, 1, 4, 6)).isEqualTo(new Spread(5, 1, 9, 4));
  }

  @Test
  void nothingHasNoSpread() {
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void figuresKeepTheirOrder() {
    double[] figures = {9, 1, 4};
    Spread.of(figures);
    assertThat(figures).containsExactly(9, 1, 4);
  }
}
