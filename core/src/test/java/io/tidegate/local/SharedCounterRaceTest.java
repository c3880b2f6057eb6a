package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.local.SeriesTable.Verdict;
import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Answers and pulled counts that arrive during a decision. */
class SharedCounterRaceTest {

  private static final int ROUNDS = 3_000;
  private static final long LIMIT = 100;
  private static final long NOW = 10_250;

  private final Scope scope = new Scope("acme", "login", 1_000);

  /** A decision that finds the series fresh must use the counts that made it fresh. */
  @Test
  void freshSeriesAdmitsByTheCountsOfTheAnswer() throws Exception {
    SeriesStore store =
        new SeriesStore(10_000, true, null, new SeriesStore.Listener() {}, () -> NOW);
    SeriesTable table = store.attachedTable(scope);
    CyclicBarrier round = new CyclicBarrier(3);
    AtomicLong admitted = new AtomicLong();
    AtomicLong unsure = new AtomicLong();
    SharedCounter[] counters = new SharedCounter[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      counters[i] = table.sharedCounter("user_" + i, NOW);
    }
    Runnable taking = () -> {
      for (int i = 0; i < ROUNDS; i++) {
        await(round);
        Verdict verdict;
        do { // unsure until the answer is merged
          verdict = table.take("user_" + i, LIMIT, 1, NOW);
          unsure.addAndGet(verdict == Verdict.UNSURE ? 1 : 0);
        } while (verdict == Verdict.UNSURE);
        admitted.addAndGet(verdict == Verdict.ALLOWED ? 1 : 0);
      }
    };
    Thread one = new Thread(taking);
    Thread two = new Thread(taking);
    one.start();
    two.start();
    for (int i = 0; i < ROUNDS; i++) {
      await(round);
      CellAnswer full = new CellAnswer(LIMIT, 0, 0, 0);
      CellAnswer none = new CellAnswer(0, 0, 0, 0);
      counters[i].refresh(counters[i].cells(), List.of(full, none), NOW, NOW);
    }
    one.join();
    two.join();
    assertThat(unsure.get()).isPositive();
    assertThat(admitted.get()).isZero();
  }

  /**
   * A series that a pull created admits a token in the last moment of a window, while a pull
   * rotates it.
   */
  @Test
  void tokensAdmittedDuringARotationArePushed() throws Exception {
    SeriesStore store =
        new SeriesStore(1_000_000, false, Duration.ZERO, new SeriesStore.Listener() {}, () -> NOW);
    SeriesTable table = store.attachedTable(scope);
    int rounds = 400_000;
    SharedCounter[] counters = new SharedCounter[rounds];
    for (int i = 0; i < rounds; i++) {
      counters[i] = table.sharedCounter("user_" + i, 10_000);
    }
    AtomicInteger pulled = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    Thread taking = new Thread(() -> {
      for (int i = 0; i < rounds; i++) {
        taken.set(i);
        while (pulled.get() < i) {
          Thread.onSpinWait();
        }
        table.take("user_" + i, LIMIT, 1, 10_999);
      }
    });
    taking.start();
    for (int i = 0; i < rounds; i++) {
      pulled.set(i);
      while (taken.get() < i) {
        Thread.onSpinWait();
      }
      counters[i].mergeImported(11_000, 1, 1, 11_000);
    }
    taking.join();
    assertThat(counters).allMatch(counter -> counter.unpushed(11_000).size() == 1);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
