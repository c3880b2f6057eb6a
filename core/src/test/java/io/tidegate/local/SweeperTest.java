package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import org.junit.jupiter.api.Test;

class SweeperTest {

  private static final long WINDOW = 60_000;
  private static final int SERIES = 130_000;

  private final SeriesStore store =
      new SeriesStore(1_000_000, false, null, new SeriesStore.Listener() {}, () -> this.now);
  private long now = 10 * WINDOW;

  private void add(int count, boolean scopeForEach) {
    for (int i = 0; i < count; i++) {
      Scope scope = new Scope("acme", scopeForEach ? "ns_" + i : "login", WINDOW);
      store.table(scope).decide("user_" + i, 10, 1, now);
    }
  }

  /** Steps until the store is empty, or this many; each examines a bounded number of series. */
  private int sweep(int most) {
    int steps = 0;
    while (steps < most && store.size() > 0) {
      assertThat(store.sweep(now)).isLessThanOrEqualTo(Sweeper.STEP);
      steps++;
    }
    return steps;
  }

  @Test
  void removesManySeriesOfOneScopeInBoundedSteps() {
    add(SERIES, false);
    now += 3 * WINDOW;
    assertThat(sweep(1_000)).isBetween(SERIES / Sweeper.STEP, SERIES / Sweeper.STEP + 2);
    assertThat(store.expired()).isEqualTo(SERIES);
    assertThat(store.tableCount()).isZero();
  }

  @Test
  void removesManyScopesInBoundedSteps() {
    add(SERIES, true);
    now += 3 * WINDOW;
    assertThat(sweep(1_000)).isLessThanOrEqualTo(2 * SERIES / Sweeper.STEP + 2);
    assertThat(store.expired()).isEqualTo(SERIES);
    assertThat(store.tableCount()).isZero();
  }

  @Test
  void walksLiveSeriesOnceAWindowInBoundedSteps() {
    add(SERIES, false);
    now += WINDOW;
    long looked = 0;
    for (int steps = 0; steps < 200; steps++) {
      int step = store.sweep(now);
      assertThat(step).isLessThanOrEqualTo(Sweeper.STEP);
      looked += step;
    }
    assertThat(store.size()).isEqualTo(SERIES);
    assertThat(looked).isBetween((long) SERIES, SERIES + 200L);
  }

  @Test
  void startsRoundAfterRound() {
    add(10, false);
    assertThat(sweep(2 * Sweeper.STEPS_PER_ROUND)).isEqualTo(2 * Sweeper.STEPS_PER_ROUND);
    now += 3 * WINDOW;
    assertThat(sweep(1_000)).isLessThanOrEqualTo(Sweeper.STEPS_PER_ROUND);
    assertThat(store.size()).isZero();
  }

  /** A window begins while the last step ended in the middle of a table. */
  @Test
  void windowThatBeginsDuringARoundIsSweptByTheNext() {
    add(SERIES, false);
    now += 2 * WINDOW;
    store.sweep(now);
    now += WINDOW; // all have expired
    sweep(1_000);
    assertThat(store.expired()).isEqualTo(SERIES);
  }

  @Test
  void seriesThatAreAddedMeanwhileStay() {
    add(SERIES, false);
    now += 3 * WINDOW;
    store.sweep(now);
    store.table(new Scope("acme", "login", WINDOW)).decide("new", 10, 1, now);
    for (int steps = 0; steps < 100; steps++) {
      store.sweep(now);
    }
    assertThat(store.size()).isEqualTo(1);
    assertThat(store.table(new Scope("acme", "login", WINDOW)).find("new")).isNotNull();
  }
}
