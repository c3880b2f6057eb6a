package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {

  @Test
  void whatShouldBeSmallIsRoundedUp() {
    assertThat(Words.roundedUp(1.301)).isEqualTo("1.31");
    assertThat(Words.roundedUp(1.3)).isEqualTo("1.30");
    assertThat(Words.roundedUp(1.1))
        .isEqualTo("1.10"); // of which 110.00000000000001 is a hundredfold
    assertThat(Words.roundedUp(0)).isEqualTo("0.00");
  }

  @Test
  void partsAreWrittenInPercent() {
    assertThat(Words.percent(0.834)).isEqualTo("83 %");
  }
}
