package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LongFullPullTest {

  private final World world = new World();
  private final SlowScan counters = new SlowScan();

  /** Delivers a row per second to a full pull, and answers other pulls at once. */
  private final class SlowScan implements GlobalCounters {

    private int rows;
    private int rowsBeforeSilence = Integer.MAX_VALUE;
    private int underWay;
    private int mostUnderWay;
    private final List<String> pulls = new ArrayList<>();

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      if (since != EVERYTHING) {
        pulls.add("changes");
        return CompletableFuture.completedFuture(since);
      }
      pulls.add("everything");
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      CompletableFuture<Long> answer = new CompletableFuture<>();
      Scheduler.Task[] task = new Scheduler.Task[1];
      int[] delivered = new int[1];
      task[0] = world.time.every(Duration.ofSeconds(1), () -> {
        if (delivered[0] >= rowsBeforeSilence) {
          task[0].cancel();
        } else if (delivered[0] < rows) {
          each.accept(new Component("us", world.cell("user_" + delivered[0]++), 6));
        } else {
          task[0].cancel();
          underWay--;
          answer.complete(7L);
        }
      });
      return answer;
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.completedFuture(null);
    }

    long count(String kind) {
      return pulls.stream().filter(kind::equals).count();
    }

    @Override
    public void close() {}
  }

  private RateLimiter node() {
    return world.hold(world.builder("eu").node("one").globalCounters(counters).build());
  }

  @Test
  void succeedsIfLongerThanItsIntervalAndChangesArePulledInBetween() {
    counters.rows = 90;
    RateLimiter eu = node();
    world.time.advance(Duration.ofMinutes(10));
    assertThat(world.events).noneMatch(event -> event.contains("failed"));
    assertThat(counters.mostUnderWay).isEqualTo(1);
    assertThat(counters.count("everything")).isBetween(3L, 6L);
    assertThat(counters.count("changes")).isGreaterThan(60);
    assertThat(eu.stats().millisSincePull()).isBetween(0L, 95_000L);
  }

  @Test
  void changesArePulledInBetweenWhileSeriesAreEvicted() {
    counters.rows = 12;
    RateLimiter eu = world.hold(
        world.builder("eu").node("one").maxSeries(10).globalCounters(counters).build());
    for (int second = 0; second < 300; second++) {
      world.take(eu, "spray_" + second, 100, 90);
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(counters.count("everything")).isGreaterThan(8);
    assertThat(counters.count("changes")).isGreaterThan(60);
  }

  @Test
  void failsAfterTwentySecondsWithoutARow() {
    counters.rows = 100;
    counters.rowsBeforeSilence = 30;
    node();
    world.time.advance(Duration.ofSeconds(48));
    assertThat(world.events).noneMatch(event -> event.contains("failed"));
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.events).contains("eu pull failed TIMEOUT");
    assertThat(counters.count("everything")).isEqualTo(2);
  }
}
