package io.tidegate.benchmarks.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.regional.PerRequestNode.Series.Cell;
import io.tidegate.benchmarks.regional.PerRequestNode.Series.Cells;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A contender with a bug would be beaten too easily. */
class PerRequestNodeTest {

  private static final long WINDOW = 60_000;
  private static final long START = 100 * WINDOW;

  private final PerRequestNode.Series series = new PerRequestNode.Series("user", WINDOW);
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
  void aCellHasNoEffectAfterTwoWindows() {
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
  void theHigherCountStays() {
    Cell cell = series.at(START).current();
    cell.merge(5, START);
    cell.merge(3, START);
    assertThat(cell.count).hasValue(5);
  }

  @Test
  void redisIsReadWhenColdStaleOrStrict() {
    Cell cell = series.at(START).current();
    cell.refreshIfStale(this::read, START);
    cell.refreshIfStale(this::read, START + 4_999);
    assertThat(reads).containsExactly("user:100");
    cell.refreshIfStale(this::read, START + 5_000);
    assertThat(reads).hasSize(2);
    cell.refresh(this::read, START + 5_001);
    assertThat(reads).hasSize(3);
    assertThat(cell.count).hasValue(7);
  }

  @Test
  void aFailedReadIsRetriedAfter300Millis() {
    Cell cell = series.at(START).current();
    cell.refreshIfStale(key -> OptionalLong.empty(), START);
    cell.refreshIfStale(this::read, START + 299);
    assertThat(reads).isEmpty();
    cell.refreshIfStale(this::read, START + 300);
    assertThat(reads).hasSize(1);
  }

  @Test
  void strictModeLastsUntilTheLatestDenialsDeadline() {
    series.denied(START + 2);
    series.denied(START + 1);
    assertThat(series.strictUntilMillis).isEqualTo(START + 2);
  }

  private OptionalLong read(String key) {
    reads.add(key);
    return OptionalLong.of(7);
  }
}
