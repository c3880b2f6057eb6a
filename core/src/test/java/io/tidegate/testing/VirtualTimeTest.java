package io.tidegate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(1_000));
  private final List<String> ran = new ArrayList<>();

  @Test
  void doesNotAdvanceByItself() {
    assertThat(time.millis()).isEqualTo(1_000);
    time.advance(Duration.ofMillis(5));
    assertThat(time.instant()).isEqualTo(Instant.ofEpochMilli(1_005));
  }

  @Test
  void canBeSetBack() {
    time.advance(Duration.ofSeconds(-2));
    assertThat(time.millis()).isEqualTo(-1_000);
  }

  @Test
  void runsEachTaskAtItsDueTime() {
    time.every(Duration.ofMillis(30), () -> ran.add("30 at " + time.millis()));
    time.every(Duration.ofMillis(20), () -> ran.add("20 at " + time.millis()));
    time.advance(Duration.ofMillis(19));
    assertThat(ran).isEmpty();
    time.advance(Duration.ofMillis(31));
    assertThat(ran).containsExactly("20 at 1020", "30 at 1030", "20 at 1040");
    assertThat(time.millis()).isEqualTo(1_050);
  }

  @Test
  void settingBackDelaysNoTask() {
    time.every(Duration.ofMillis(20), () -> ran.add("at " + time.millis()));
    time.advance(Duration.ofMillis(10));
    time.advance(Duration.ofMillis(-500));
    time.advance(Duration.ofMillis(10));
    assertThat(ran).containsExactly("at 520");
  }

  @Test
  void doesNotRunACancelledTask() {
    Scheduler.Task task = time.every(Duration.ofMillis(10), () -> ran.add("ran"));
    time.advance(Duration.ofMillis(10));
    task.cancel();
    task.cancel();
    time.advance(Duration.ofMillis(100));
    assertThat(ran).hasSize(1);
  }
}
