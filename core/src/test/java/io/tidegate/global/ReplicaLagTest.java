package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.InMemoryGlobalCounters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Pushes go to the primary server, pulls read a replica that lags behind it. */
class ReplicaLagTest {

  /** Long enough that series outlive many full pulls. */
  private static final Scope SCOPE = Scope.of("acme", "login", Duration.ofHours(1));

  private final World world = new World();
  private final Replicated replicated = new Replicated();
  private final RateLimiter eu =
      world.hold(world.builder("eu").node("one").globalCounters(replicated).build());

  private final class Replicated implements GlobalCounters {

    private record Change(long dueNanos, List<Component> components) {}

    private final InMemoryGlobalCounters primary = world.counters;
    private final InMemoryGlobalCounters replica = new InMemoryGlobalCounters();
    private final Queue<Change> onTheirWay = new ArrayDeque<>();
    private Duration lag = Duration.ofSeconds(25);

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      onTheirWay.add(new Change(world.time.elapsedNanos() + lag.toNanos(), components));
      return primary.push(components);
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      deliver();
      return replica.pull(region, since, nowMillis, each);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      deliver();
      return replica.pullOwn(region, nowMillis, each);
    }

    private void deliver() {
      while (!onTheirWay.isEmpty() && onTheirWay.peek().dueNanos <= world.time.elapsedNanos()) {
        replica.push(onTheirWay.remove().components);
      }
    }

    /** As a failover to a server that never received the last changes. */
    void lose() {
      primary.loseCounts();
      replica.loseCounts();
      onTheirWay.clear();
    }

    @Override
    public void close() {}
  }

  private void take(String identifier, long cost) {
    eu.tryAcquire(new LimitRequest(SCOPE, identifier, 100, cost));
  }

  private long row(String identifier) {
    return world.counters.count(
        "eu", WindowCell.at(new Series(SCOPE, identifier), world.time.millis()));
  }

  @Test
  void rowThatIsNotInTheReplicaYetIsNotLost() {
    for (int second = 0; second < 600; second++) {
      take("user_" + second, 50);
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(world.events).doesNotContain("eu lost counts");
    assertThat(world.counters.pushes()).doesNotHaveDuplicates();
  }

  @Test
  void smallerCountInTheReplicaIsNotLost() {
    for (int second = 0; second < 600; second++) {
      take("user_" + second % 60, 5);
      world.time.advance(Duration.ofSeconds(1));
    }
    assertThat(world.events).doesNotContain("eu lost counts");
    assertThat(world.counters.pushes()).doesNotHaveDuplicates();
  }

  @Test
  void lossIsRepairedWithinTwoMinutes() {
    for (int second = 0; second < 100; second++) {
      take("user_" + second, 50);
      world.time.advance(Duration.ofSeconds(1));
    }
    world.exchange();
    replicated.lose();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.events).contains("eu lost counts");
    for (int second = 0; second < 100; second++) {
      assertThat(row("user_" + second)).isEqualTo(50);
    }
    int pushes = world.counters.pushes().size();
    world.time.advance(Duration.ofMinutes(5));
    assertThat(world.counters.pushes()).hasSize(pushes);
  }

  /** The new primary has an older count of the row, which is repaired like a missing one. */
  @Test
  void lossOfTheLatestCountIsRepairedWithinTwoMinutes() {
    take("user", 50);
    world.exchange();
    replicated.lose();
    world.remoteCounts("eu", WindowCell.at(new Series(SCOPE, "user"), world.time.millis()), 20);
    replicated.replica.push(world.counters.pushes().subList(1, 2));
    world.time.advance(Duration.ofMinutes(2));
    assertThat(row("user")).isEqualTo(50);
  }

  @Test
  void replicaThatLagsTooFarIsTakenForALoss() {
    replicated.lag = Duration.ofMinutes(3);
    take("user", 50);
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.events).contains("eu lost counts");
  }
}
