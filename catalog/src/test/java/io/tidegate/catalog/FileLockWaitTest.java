package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FileLockWaitTest {

  private static final int RETRY = 1;
  private static final int GIVE_UP = 0;

  @Test
  void interruptedThreadWaitsAndStaysInterrupted() {
    FileLockWait wait = new FileLockWait(Duration.ofMinutes(1));
    Thread.currentThread().interrupt();
    int answer = wait.callback(0);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(answer).isEqualTo(RETRY);
  }

  @Test
  void everyWaitHasTheWholeTimeout() {
    FileLockWait wait = new FileLockWait(Duration.ofMillis(200));
    int calls = 0;
    while (wait.callback(calls) == RETRY) {
      calls++;
    }
    assertThat(calls).isPositive();
    assertThat(wait.callback(0)).isEqualTo(RETRY);
  }

  @Test
  void waitWithoutATimeoutGivesUpAtOnce() {
    assertThat(new FileLockWait(Duration.ZERO).callback(0)).isEqualTo(GIVE_UP);
  }
}
