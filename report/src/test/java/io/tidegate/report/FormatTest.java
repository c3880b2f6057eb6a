package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class FormatTest {

  @Test
  void figuresHaveThreeDigits() {
    assertThat(Format.FIGURE.of(14.52)).isEqualTo("14.5");
    assertThat(Format.FIGURE.of(607.4)).isEqualTo("607");
    assertThat(Format.SMALL.of(0.0123)).isEqualTo("0.012");
    assertThat(Format.SMALL.of(1)).isEqualTo("1.00");
    assertThat(Format.SMALL.of(1.234)).isEqualTo("1.23");
  }

  @Test
  void manyHasASuffix() {
    assertThat(Format.MANY.of(9_933)).isEqualTo("9933");
    assertThat(Format.MANY.of(11_520)).isEqualTo("11.5 k");
    assertThat(Format.MANY.of(8_100_000)).isEqualTo("8.1 M");
  }

  @Test
  void ratioThatMissesATargetDoesNotLookAsIfItMetIt() {
    assertThat(Format.RATIO.of(1.299)).isEqualTo("1.29");
    assertThat(Format.RATIO.of(1646.7)).isEqualTo("1,646");
    assertThat(Format.ROUNDED_UP.of(1.301)).isEqualTo("1.31");
    assertThat(Format.ROUNDED_UP.of(1.1)).isEqualTo("1.10");
  }

  @Test
  void sharesAreWrittenInPercent() {
    assertThat(Format.PERCENT.of(0.834)).isEqualTo("83 %");
    assertThat(Format.FINE_PERCENT.of(0.0012)).isEqualTo("0.12 %");
    assertThat(Format.FINE_PERCENT.of(0.123)).isEqualTo("12.3 %");
    assertThat(Format.FINE_PERCENT.of(0)).isEqualTo("0.0 %");
  }

  @Test
  void spreadOfSeveralFiguresHasTheirRange() {
    assertThat(Format.RATIO.of(Spread.of(1.5, 2, 3))).isEqualTo("2.00 [1.50..3.00]");
    assertThat(Format.RATIO.of(Spread.of(2))).isEqualTo("2.00");
    assertThat(Format.COUNT.of(Spread.of(1000, 2000, 3000))).isEqualTo("2,000");
    assertThat(Format.PERCENT.of(Spread.of(0.1, 0.2, 0.3))).isEqualTo("20 %");
  }

  @Test
  void figureThatIsNotFiniteIsUnmeasured() {
    assertThat(Format.FIGURE.of(Double.NaN)).isEqualTo(Format.UNMEASURED);
  }

  @Test
  void figuresLookTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Format.FIGURE.of(14.52)).isEqualTo("14.5");
      assertThat(Format.COUNT.of(2_000)).isEqualTo("2,000");
    } finally {
      Locale.setDefault(before);
    }
  }
}
