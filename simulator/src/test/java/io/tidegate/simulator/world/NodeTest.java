package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = Node.EPOCH_MILLIS;

  private final Timeline timeline = new Timeline();
  private final SimulatedRegion region = new SimulatedRegion(
      "eu",
      new OriginServer(timeline, 1),
      NetworkLink.Quality.of(0, 0),
      NetworkLink.Quality.of(0, 0));
  private final Node node = new Node(timeline, region, "node");
  private final List<Long> ticks = new ArrayList<>();

  private Scheduler.Task tickEverySecond() {
    return node.every(Duration.ofSeconds(1), () -> ticks.add(timeline.nowNanos() / SECOND));
  }

  @Test
  void theClockFollowsVirtualTime() {
    assertThat(node.instant()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
    timeline.runUntil(90 * SECOND + 1_500_000);
    assertThat(node.millis()).isEqualTo(BEGIN + 90_001);
    assertThat(node.elapsedNanos()).isEqualTo(90 * SECOND + 1_500_000);
  }

  @Test
  void settingTheClockDoesNotChangeElapsedTime() {
    timeline.runUntil(10 * SECOND);
    node.stepClock(-4_000);
    assertThat(node.millis()).isEqualTo(BEGIN + 6_000);
    assertThat(node.elapsedNanos()).isEqualTo(10 * SECOND);
    node.stepClock(5_000);
    assertThat(node.millis()).isEqualTo(BEGIN + 11_000);
  }

  @Test
  void aDriftingClockGainsTime() {
    timeline.runUntil(1_000 * SECOND);
    node.driftClock(1_000);
    assertThat(node.millis()).as("does not jump").isEqualTo(BEGIN + 1_000_000);
    timeline.runUntil(2_000 * SECOND);
    assertThat(node.millis()).isEqualTo(BEGIN + 2_001_000);
    node.driftClock(-1_000);
    assertThat(node.millis()).as("keeps what it has gained").isEqualTo(BEGIN + 2_001_000);
    timeline.runUntil(3_000 * SECOND);
    assertThat(node.millis()).isEqualTo(BEGIN + 3_000_000);
  }

  @Test
  void tasksRunEveryInterval() {
    Scheduler.Task task = tickEverySecond();
    timeline.runUntil(3 * SECOND);
    task.cancel();
    timeline.runUntil(9 * SECOND);
    assertThat(ticks).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aFrozenNodeHandlesMissedEventsWhenItThaws() {
    tickEverySecond();
    List<String> done = new ArrayList<>();
    timeline.runUntil(SECOND);
    node.freeze();
    assertThat(node.isRunning()).isFalse();
    assertThat(node.isDead()).isFalse();
    node.run(() -> done.add("answer"));
    timeline.runUntil(5 * SECOND + 1);
    assertThat(ticks).containsExactly(1L);
    assertThat(done).isEmpty();
    node.thaw();
    assertThat(done).containsExactly("answer");
    assertThat(ticks).as("once, not four times").containsExactly(1L, 5L);
    timeline.runUntil(7 * SECOND);
    assertThat(ticks).containsExactly(1L, 5L, 6L);
    assertThat(node.isRunning()).isTrue();
  }

  @Test
  void aDeadNodeDoesNothing() {
    tickEverySecond();
    List<String> done = new ArrayList<>();
    node.freeze();
    node.run(() -> done.add("before"));
    node.crash();
    node.thaw();
    node.run(() -> done.add("after"));
    timeline.runUntil(5 * SECOND);
    assertThat(ticks).isEmpty();
    assertThat(done).isEmpty();
    assertThat(node.isDead()).isTrue();
    assertThat(node.isRunning()).isFalse();
  }
}
