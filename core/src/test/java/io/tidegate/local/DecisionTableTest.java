package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions worked out by hand, in a window of a minute. */
class DecisionTableTest {

  @ParameterizedTest
  @CsvSource({
    // current, previous, elapsed, cost, limit, allowed, remaining
    "0, 0, 0.0, 1, 10, true, 9",
    "9, 0, 0.0, 1, 10, true, 0",
    "10, 0, 0.0, 0, 10, true, 0",
    "10, 0, 0.0, 1, 10, false, 0",
    "5, 10, 0.5, 1, 10, false, 0", // 5 + 5 + 1
    "5, 10, 0.99, 1, 10, true, 4",
    "0, 0, 0.0, 100, 10, false, 0",
    "0, 10, 0.5, 5, 10, true, 0",
    "0, 10, 0.0, 1, 10, false, 0",
    "0, 0, 0.0, 0, 0, false, 0", // limit 0 denies a peek as well
    "0, 0, 0.0, 1, 0, false, 0",
    "11, 0, 0.0, 0, 10, false, 0", // another caller's higher limit let it grow so far
  })
  void decides(
      long current,
      long previous,
      double elapsed,
      long cost,
      long limit,
      boolean allowed,
      long remaining) {
    Cells cells = new Cells(60_000, 60_000, current, previous);
    Decision decision = cells.decide(limit, cost, 60_000 + (long) (elapsed * 60_000));
    assertThat(decision.allowed()).isEqualTo(allowed);
    assertThat(decision.remaining()).isEqualTo(remaining);
    assertThat(decision.resetAtMillis()).isEqualTo(120_000);
  }
}
