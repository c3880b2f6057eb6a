package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What arrives from outside in the middle of a decision. */
class SharedCounterRaceTest {

  private static final int ROUNDS = 3_000;
  private static final long LIMIT = 100;
  private static final long NOW = 10_250;

  private final Scope scope = new Scope("acme", "login", 1_000);

  /** A decision that is sure must be sure of the counts that it used. */
  @Test
  void nothingIsAdmittedByCountsOlderThanTheAnswerThatVouchesForThem() throws Exception {
    SeriesStore store =
        new SeriesStore(10_000, true, null, new SeriesStore.Listener() {}, () -> NOW);
    SeriesTable table = store.attachedTable(scope);
    CyclicBarrier round = new CyclicBarrier(3);
    AtomicLong admitted = new AtomicLong();
    AtomicLong asked = new AtomicLong();
    SharedCounter[] counters = new SharedCounter[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      counters[i] = table.sharedCounter("user_" + i, NOW);
    }
    Runnable taking = () -> {
      for (int i = 0; i < ROUNDS; i++) {
        await(round);
        Decision decision;
        do { // until the answer is there, the origin would have to be asked
          decision = table.take("user_" + i, LIMIT, 1, NOW);
          asked.addAndGet(decision == null ? 1 : 0);
        } while (decision == null);
        admitted.addAndGet(decision.allowed() ? 1 : 0);
      }
    };
    Thread one = new Thread(taking);
    Thread two = new Thread(taking);
    one.start();
    two.start();
    for (int i = 0; i < ROUNDS; i++) {
      await(round);
      counters[i].mergePeers(10_000, LIMIT); // and so the limit is used up
      counters[i].refreshed(10_000, NOW, NOW);
    }
    one.join();
    two.join();
    assertThat(asked.get()).isPositive();
    assertThat(admitted.get()).isZero();
  }

  /**
   * A series that a pull made is asked for in the last moment of a window, and a pull rolls it on.
   */
  @Test
  void whatIsAdmittedWhileTheSeriesRollsOnIsPushed() throws Exception {
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
      counters[i].mergeImported(11_000, 0, 1, 11_000);
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
