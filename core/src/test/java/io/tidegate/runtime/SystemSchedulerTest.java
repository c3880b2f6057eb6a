package io.tidegate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {

  @Test
  void doesNotKeepTheJvmAlive() throws InterruptedException {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CountDownLatch ran = new CountDownLatch(1);
    Scheduler.Task task = SystemScheduler.shared().every(Duration.ofMillis(1), () -> {
      thread.set(Thread.currentThread());
      ran.countDown();
    });
    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    task.cancel();
    assertThat(thread.get().isDaemon()).isTrue();
    assertThat(thread.get().getName()).isEqualTo("tidegate-scheduler");
  }
}
