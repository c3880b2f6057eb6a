package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrictModeTest {

  private static final long WINDOW = 60_000;
  private static final long NOW = 1_000_000 * WINDOW + 50_000; // 50 s into a cell

  private final Scope scope = new Scope("acme", "login", WINDOW);
  private final List<String> entered = new ArrayList<>();
  private final SeriesStore store = new SeriesStore(
      1_000,
      false,
      null,
      new SeriesStore.Listener() {
        @Override
        public void strictModeEntered(Scope of, String identifier) {
          entered.add(identifier);
        }
      },
      () -> NOW);

  @Test
  void denialSetsTheDeadlineToAWindowFromNow() {
    take(1, NOW);
    assertThat(strictUntil()).isEqualTo(Long.MIN_VALUE);
    take(1, NOW + 7);
    assertThat(strictUntil()).isEqualTo(NOW + 7 + WINDOW);
  }

  @Test
  void laterDenialsMoveTheDeadlineOn() {
    take(1, NOW);
    take(1, NOW + 7);
    take(1, NOW + 20);
    assertThat(strictUntil()).isEqualTo(NOW + 20 + WINDOW);
  }

  @Test
  void denialOnAClockThatStepsBackDoesNotMoveTheDeadlineBack() {
    take(1, NOW);
    take(1, NOW + 7);
    take(1, NOW - 5_000);
    assertThat(strictUntil()).isEqualTo(NOW + 7 + WINDOW);
  }

  @Test
  void lastsIntoTheNextWindow() {
    take(1, NOW);
    take(1, NOW);
    take(100, NOW + 20_000); // in a new cell, and allowed
    assertThat(strictUntil()).isEqualTo(NOW + WINDOW);
  }

  @Test
  void isEnteredOnceHoweverManyDenialsFollow() {
    take(1, NOW);
    for (int i = 0; i < 100; i++) {
      take(1, NOW + i);
    }
    assertThat(entered).containsExactly("user_1");
  }

  @Test
  void isEnteredAgainAfterItsEnd() {
    take(1, NOW);
    take(1, NOW);
    take(0, NOW + WINDOW - 1); // still strict
    assertThat(entered).hasSize(1);
    take(0, NOW + 3 * WINDOW);
    assertThat(entered).hasSize(2);
  }

  @Test
  void worksBefore1970() {
    take(1, -NOW);
    take(1, -NOW);
    assertThat(strictUntil()).isEqualTo(-NOW + WINDOW);
    assertThat(entered).hasSize(1);
  }

  @Test
  void deniedEntriesOfABatchSetItAndOthersDoNot() {
    take(1, NOW);
    store.table(scope).take("user_2", 10, 1, NOW);
    new Batch(
            store,
            new LimitRequest[] {
              new LimitRequest(scope, "user_1", 1, 1), new LimitRequest(scope, "user_2", 10, 1)
            },
            NOW + 3)
        .decide();
    assertThat(strictUntil()).isEqualTo(NOW + 3 + WINDOW);
    assertThat(store.table(scope).find("user_2").strictUntilMillis()).isEqualTo(Long.MIN_VALUE);
    assertThat(entered).containsExactly("user_1");
  }

  /** Without a count there is nothing to enforce: the next request is its first. */
  @Test
  void denialOfAnUnknownSeriesCreatesNothing() {
    store.table(scope).take("user_3", 10, 11, NOW);
    assertThat(store.table(scope).find("user_3")).isNull();
    assertThat(store.size()).isZero();
  }

  private void take(long limit, long now) {
    store.table(scope).take("user_1", limit, 1, now);
  }

  private long strictUntil() {
    return store.table(scope).find("user_1").strictUntilMillis();
  }
}
