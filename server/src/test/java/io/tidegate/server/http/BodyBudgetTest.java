package io.tidegate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {

  @Test
  void reservesUpToItsMaximum() {
    BodyBudget budget = new BodyBudget(100);
    assertThat(budget.reserve(60)).isTrue();
    assertThat(budget.reserve(41)).isFalse();
    assertThat(budget.reserve(40)).isTrue();
    assertThat(budget.reserve(1)).isFalse();
    budget.release(60);
    assertThat(budget.reserve(61)).isFalse();
    assertThat(budget.reserve(60)).isTrue();
  }

  @Test
  void failedReservationTakesNothing() {
    BodyBudget budget = new BodyBudget(100);
    for (int i = 0; i < 10; i++) {
      assertThat(budget.reserve(Integer.MAX_VALUE)).isFalse();
    }
    assertThat(budget.reserve(100)).isTrue();
  }

  @Test
  void concurrentReservationsStayWithinTheMaximum() throws InterruptedException {
    BodyBudget budget = new BodyBudget(3);
    AtomicInteger held = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread = new Thread(() -> {
        for (int n = 0; n < 20_000; n++) {
          if (budget.reserve(1)) {
            most.accumulateAndGet(held.incrementAndGet(), Math::max);
            held.decrementAndGet();
            budget.release(1);
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
    assertThat(budget.reserve(3)).isTrue();
  }
}
