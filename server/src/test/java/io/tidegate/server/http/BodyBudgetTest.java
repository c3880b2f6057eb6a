package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {

  @Test
  void givesWhatThereIsAndNoMore() {
    BodyBudget budget = new BodyBudget(100);
    assertThat(budget.take(60)).isTrue();
    assertThat(budget.take(41)).isFalse();
    assertThat(budget.take(40)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.give(60);
    assertThat(budget.take(61)).isFalse();
    assertThat(budget.take(60)).isTrue();
  }

  @Test
  void takingTooMuchLeavesTheRest() {
    BodyBudget budget = new BodyBudget(100);
    for (int i = 0; i < 10; i++) {
      assertThat(budget.take(Integer.MAX_VALUE)).isFalse();
    }
    assertThat(budget.take(100)).isTrue();
  }

  @Test
  void manyThreadsNeverHaveMoreThanThereIs() throws InterruptedException {
    BodyBudget budget = new BodyBudget(3);
    AtomicInteger held = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread = new Thread(() -> {
        for (int n = 0; n < 20_000; n++) {
          if (budget.take(1)) {
            most.accumulateAndGet(held.incrementAndGet(), Math::max);
            held.decrementAndGet();
            budget.give(1);
          }
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isBetween(1, 3);
    assertThat(budget.take(3)).isTrue();
  }
}
