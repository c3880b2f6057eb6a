package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.GlobalFiguresFixture.SERIES;
import static io.tidegate.benchmarks.GlobalPolicy.ADAPTIVE;
import static io.tidegate.benchmarks.GlobalPolicy.RFC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.report.Spread;
import org.junit.jupiter.api.Test;

class GlobalFiguresTest {

  @Test
  void ratesArePerSecondMeasured() {
    GlobalUse use = new GlobalFiguresFixture()
        .load(RFC, 1, 600, 6_000)
        .figures()
        .last(RFC, SERIES)
        .use();
    assertThat(use.rowsWrittenPerSecond()).isEqualTo(600);
    assertThat(use.rowsReadPerSecond()).isEqualTo(6_000);
    assertThat(use.databasePercent()).isEqualTo(10);
    assertThat(use.processPercent()).isEqualTo(40);
    assertThat(use.newsPercent()).isEqualTo(50);
    assertThat(use.exchangeMicrosPerRow()).isEqualTo(3_000 / 66_000.0, within(1e-9));
  }

  @Test
  void aRowThatNeitherRaisesNorIsNewIsWrittenInVain() {
    GlobalUse use = new GlobalFiguresFixture()
        .load(RFC, 1, 600, 6_000)
        .figures()
        .last(RFC, SERIES)
        .use();
    assertThat(use.stored().rowsInVain()).isEqualTo(600);
    assertThat(use.inVainPercent()).isEqualTo(10);
  }

  @Test
  void windowsOfOnePolicyAreASpread() {
    GlobalFigures figures = new GlobalFiguresFixture()
        .load(RFC, 1, 100, 0)
        .load(RFC, 2, 300, 0)
        .load(ADAPTIVE, 1, 700, 0)
        .figures();
    assertThat(figures.load(RFC, SERIES, GlobalUse::rowsWrittenPerSecond))
        .isEqualTo(new Spread(200, 100, 300, 2));
    assertThat(figures.last(RFC, SERIES).round()).isEqualTo(2);
    assertThat(figures.policies(SERIES)).containsExactly(RFC, ADAPTIVE);
  }

  @Test
  void theLimitIsBetweenTheMostThatWasCarriedAndTheLeastThatWasNot() {
    GlobalFigures figures = GlobalFiguresFixture.allAlike()
        .databaseLoad(10, 6_750)
        .databaseLoad(20, 13_499)
        .databaseLoad(40, 13_000)
        .figures();
    GlobalLimits limits = new GlobalLimits(GlobalFiguresFixture.SETTINGS, figures);
    assertThat(limits.mostCarried().orElseThrow().times()).isEqualTo(10);
    assertThat(limits.firstTooMuch().orElseThrow().times()).isEqualTo(20);
    assertThat(limits.words())
        .contains("carries the calls of 10 times the shape")
        .contains("Of 20 times the shape it carries 13.5 k of 15.0 k rows");
  }
}
