package io.tidegate.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineBudgetTest {

  /** Negative, as nano time may be. */
  private final AtomicLong nanos = new AtomicLong(-Duration.ofMillis(2_500).toNanos());

  private final LineBudget budget = new LineBudget(3, nanos::get);

  @Test
  void allowsLinesUpToTheBound() {
    assertThat(take(3)).isZero();
    assertThat(budget.take()).isEmpty();
    assertThat(budget.take()).isEmpty();
  }

  @Test
  void reportsSuppressedLinesInTheNextSecond() {
    take(3);
    budget.take();
    budget.take();
    advance(Duration.ofSeconds(1));

    assertThat(budget.take()).hasValue(2);
    assertThat(budget.take()).hasValue(0);
    assertThat(budget.take()).hasValue(0);
    assertThat(budget.take()).isEmpty();
  }

  @Test
  void unusedLinesAreNotSaved() {
    advance(Duration.ofHours(1));
    assertThat(take(3)).isZero();
    assertThat(budget.take()).isEmpty();
  }

  @Test
  void countsTheLinesOfAllThreads() throws InterruptedException {
    AtomicLong written = new AtomicLong();
    AtomicLong reported = new AtomicLong();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 10_000; i++) {
          if (i % 1_000 == 0) {
            advance(Duration.ofMillis(250));
          }
          budget.take().ifPresent(suppressed -> {
            written.incrementAndGet();
            reported.addAndGet(suppressed);
          });
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    advance(Duration.ofSeconds(1));
    reported.addAndGet(budget.take().getAsLong());

    assertThat(written.get() + reported.get()).isEqualTo(40_000);
    assertThat(written.get()).isLessThanOrEqualTo(3 * 12);
  }

  /** Requests lines and returns how many were suppressed before them. */
  private long take(int lines) {
    long suppressed = 0;
    for (int i = 0; i < lines; i++) {
      suppressed += budget.take().getAsLong();
    }
    return suppressed;
  }

  private void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
