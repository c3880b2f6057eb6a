package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An answer of the origin that arrives in the middle of a decision. */
class SharedCounterRaceTest {

  private static final int ROUNDS = 3_000;
  private static final long LIMIT = 100;
  private static final long NOW = 10_250;

  private final Scope scope = new Scope("acme", "login", 1_000);

  /** A decision that is sure must be sure of the counts that it used. */
  @Test
  void nothingIsAdmittedByCountsOlderThanTheAnswerThatVouchesForThem() throws Exception {
    SeriesStore store = new SeriesStore(10_000, true, false, new SeriesStore.Listener() {});
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
      counters[i].refreshed(10_000, NOW);
    }
    one.join();
    two.join();
    assertThat(asked.get()).isPositive();
    assertThat(admitted.get()).isZero();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
