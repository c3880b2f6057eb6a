package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.PerRequestSeries.Cell;
import io.tidegate.benchmarks.PerRequestSeries.Cells;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A scheme that was counted wrong here would be beaten easily. */
class PerRequestSeriesTest {

  private static final long WINDOW = 60_000;
  private static final long START = 100 * WINDOW;

  private final PerRequestSeries series = new PerRequestSeries("user", WINDOW);
  private final List<String> reads = new ArrayList<>();

  @Test
  void thePreviousCellWeighsAsMuchAsTheWindowStillCovers() {
    series.at(START).current().merge(10, START);
    Cells next = series.at(START + WINDOW);
    assertThat(next.effective(3, START + WINDOW)).isEqualTo(13);
    assertThat(next.effective(3, START + WINDOW + WINDOW / 2)).isEqualTo(8);
    assertThat(next.effective(3, START + 2 * WINDOW - 1)).isEqualTo(3);
  }

  @Test
  void aCellIsForgottenAfterTwoWindows() {
    series.at(START).current().merge(10, START);
    assertThat(series.at(START + 2 * WINDOW).effective(0, START + 2 * WINDOW)).isZero();
  }

  @Test
  void aTimeBeforeTheCellCountsAsItsStart() {
    series.at(START - 1).current().merge(10, START);
    Cells cells = series.at(START);
    assertThat(series.at(START - 1)).isSameAs(cells);
    assertThat(cells.effective(0, START - 1)).isEqualTo(10);
  }

  @Test
  void theGreaterCountStays() {
    Cell cell = series.at(START).current();
    cell.merge(5, START);
    cell.merge(3, START);
    assertThat(cell.count()).isEqualTo(5);
    assertThat(cell.add(5, 2)).isTrue();
    assertThat(cell.add(5, 2)).isFalse();
    assertThat(cell.count()).isEqualTo(7);
  }

  @Test
  void redisIsReadWhenColdStaleOrStrict() {
    Cell cell = series.at(START).current();
    cell.refresh(this::read, START, false);
    cell.refresh(this::read, START + 4_999, false);
    assertThat(reads).containsExactly("user:100");
    cell.refresh(this::read, START + 5_000, false);
    assertThat(reads).hasSize(2);
    cell.refresh(this::read, START + 5_001, true);
    assertThat(reads).hasSize(3);
    assertThat(cell.count()).isEqualTo(7);
  }

  @Test
  void aReadThatFailedIsTriedAgainAfter300Millis() {
    Cell cell = series.at(START).current();
    cell.refresh(key -> -1, START, false);
    cell.refresh(this::read, START + 299, false);
    assertThat(reads).isEmpty();
    cell.refresh(this::read, START + 300, false);
    assertThat(reads).hasSize(1);
  }

  @Test
  void strictModeLastsUntilTheLatestDenialsDeadline() {
    series.denied(START + 2);
    series.denied(START + 1);
    assertThat(series.strictUntilMillis()).isEqualTo(START + 2);
  }

  private long read(String key) {
    reads.add(key);
    return 7;
  }
}
