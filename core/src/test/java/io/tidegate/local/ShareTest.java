package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class ShareTest {

  @Test
  void divisorIsTwiceTheNumberOfNodesUnlessThereIsOne() {
    assertThat(Share.divisor(0)).isEqualTo(1);
    assertThat(Share.divisor(1)).isEqualTo(1);
    assertThat(Share.divisor(2)).isEqualTo(4);
    assertThat(Share.divisor(33)).isEqualTo(66);
    assertThat(Share.divisor(Integer.MAX_VALUE)).isPositive();
  }

  @Test
  void shareIsWhatIsLeftDividedByTheDivisor() {
    for (int divisor = 1; divisor <= 12; divisor++) {
      for (long limit = 0; limit <= 30; limit++) {
        for (long confirmed = 0; confirmed <= limit; confirmed++) {
          for (long unconfirmed = 0; unconfirmed <= limit - confirmed; unconfirmed++) {
            long left = limit - confirmed;
            long effective = confirmed + unconfirmed;
            assertThat(Share.isExceeded(effective, unconfirmed, divisor, limit))
                .isEqualTo(unconfirmed * divisor > left);
            assertThat(Share.isHalfSpent(effective, unconfirmed, divisor, limit))
                .isEqualTo(2 * unconfirmed * divisor > left);
          }
        }
      }
    }
  }

  @Test
  void nothingUnconfirmedSpendsNothing() {
    assertThat(Share.isExceeded(100, 0, 4, 100)).isFalse();
    assertThat(Share.isHalfSpent(100, 0, 1, 100)).isFalse();
  }

  @Test
  void greatestValuesDoNotOverflow() {
    long limit = Bounds.MAX_TOKENS;
    int divisor = Share.divisor(Integer.MAX_VALUE);
    assertThat(BigInteger.valueOf(limit)
            .multiply(BigInteger.valueOf(2L * divisor))
            .add(BigInteger.valueOf(limit))
            .bitLength())
        .isLessThan(64);
    assertThat(Share.isExceeded(limit, limit, divisor, limit)).isTrue();
    assertThat(Share.isHalfSpent(limit, limit, divisor, limit)).isTrue();
  }
}
