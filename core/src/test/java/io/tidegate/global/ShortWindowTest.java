package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Windows shorter than ten push intervals are counted per region. */
class ShortWindowTest {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final World world = new World();
  private final List<Long> askedWindows = new CopyOnWriteArrayList<>();

  /** A policy that pushes everything and records the windows that it judges. */
  private final class Everything implements PushPolicy {

    @Override
    public Duration interval() {
      return INTERVAL;
    }

    @Override
    public boolean isWorthPushing(CellUse use) {
      askedWindows.add(use.windowMillis());
      return true;
    }
  }

  private RateLimiter node(PushPolicy policy) {
    world.policy = policy;
    return world.node("eu");
  }

  private void take(RateLimiter node, Duration window) {
    WindowCell cell = world.cell("user", window);
    node.tryAcquire(new LimitRequest(cell.series().scope(), "user", 100, 50));
  }

  private List<Long> pushedWindows() {
    return world.counters.pushes().stream()
        .map(component -> component.cell().series().scope().windowMillis())
        .distinct()
        .toList();
  }

  @Test
  void areNotPushed() {
    RateLimiter eu = node(PushPolicy.adaptive());
    for (int second = 0; second < 30; second++) {
      take(eu, Duration.ofSeconds(1));
      take(eu, Duration.ofMillis(2_499));
      take(eu, Duration.ofMillis(2_500));
      world.time.advance(Duration.ofSeconds(1));
    }
    eu.close();
    assertThat(pushedWindows()).containsExactly(2_500L);
  }

  @Test
  void policyDoesNotJudgeThem() {
    RateLimiter eu = node(new Everything());
    take(eu, Duration.ofSeconds(9));
    take(eu, Duration.ofSeconds(60));
    world.exchange();
    assertThat(askedWindows).containsOnly(60_000L);
  }

  @Test
  void rowsOfOtherRegionsAreIgnored() {
    RateLimiter eu = node(PushPolicy.adaptive(INTERVAL));
    WindowCell cell = world.cell("user", Duration.ofSeconds(9));
    world.counters.push(List.of(new Component("us", cell, 60), new Component("eu", cell, 30)));
    world.exchange();
    assertThat(world.events).contains("eu pulled 1 applied 0 created 0");
    assertThat(eu.stats().series()).isZero();
    take(eu, Duration.ofSeconds(9));
    assertThat(eu.tryAcquire(new LimitRequest(cell.series().scope(), "user", 100, 50))
            .allowed())
        .isTrue();
  }

  @Test
  void shortestWindowCanBeChosen() {
    RateLimiter eu = node(PushPolicy.adaptive().withShortestWindow(Duration.ofSeconds(20)));
    take(eu, Duration.ofSeconds(19));
    take(eu, Duration.ofSeconds(20));
    world.exchange();
    assertThat(pushedWindows()).containsExactly(20_000L);
  }

  @Test
  void negativeShortestWindowIsRejected() {
    assertThatThrownBy(() -> PushPolicy.adaptive().withShortestWindow(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shortestWindow must not be negative: PT-1S");
    PushPolicy wrong = new PushPolicy() {
      @Override
      public Duration interval() {
        return INTERVAL;
      }

      @Override
      public Duration shortestWindow() {
        return Duration.ofMillis(-5);
      }

      @Override
      public boolean isWorthPushing(CellUse use) {
        return true;
      }
    };
    assertThatThrownBy(() -> RateLimiter.builder().pushPolicy(wrong))
        .hasMessage("shortestWindow must not be negative: PT-0.005S");
  }
}
