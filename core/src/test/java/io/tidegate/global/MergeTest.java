package io.tidegate.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The laws of the merge: in whatever order components come, how often and how late, a node ends up
 * with the sum over regions of each one's greatest.
 */
class MergeTest {

  /** Tells whatever it is given, on the next pull. */
  private static final class Mailbox implements GlobalCounters {

    private final List<Component> letters = new ArrayList<>();

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      letters.forEach(each);
      letters.clear();
      return CompletableFuture.completedFuture(1L);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void orderRepetitionAndDelayChangeNothing() {
    Property.check(200, MergeTest::checkOrderRepetitionAndDelayChangeNothing);
  }

  private static void checkOrderRepetitionAndDelayChangeNothing(Generator random) {
    List<Component> reports = new ArrayList<>();
    World world = new World();
    Map<String, Long> greatest = new HashMap<>();
    Map<String, Long> greatestBefore = new HashMap<>();
    for (int i = random.length(1, 79); i > 0; i--) {
      String region = "region_" + random.nextInt(5);
      boolean current = random.nextBoolean();
      WindowCell cell = current ? world.cell("user") : world.cell("user").previous();
      long count = 1L + random.nextInt(100);
      reports.add(new Component(region, cell, count));
      (current ? greatest : greatestBefore).merge(region, count, Math::max);
    }
    List<Component> copies = new ArrayList<>(reports);
    for (int i = random.nextInt(100); i >= 0; i--) {
      copies.add(reports.get(random.nextInt(reports.size())));
    }
    Collections.shuffle(copies, random);

    Mailbox mailbox = new Mailbox();
    VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(world.time.millis()));
    RateLimiter node = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("region_0") // one of them is our own
        .globalCounters(mailbox)
        .build();
    while (!copies.isEmpty()) {
      int some = Math.min(copies.size(), 1 + random.nextInt(20));
      mailbox.letters.addAll(copies.subList(0, some));
      copies.subList(0, some).clear();
      time.advance(Duration.ofMillis(1_450));
    }
    long elapsed = time.millis() - world.cell("user").startMillis();
    long current = greatest.values().stream().mapToLong(Long::longValue).sum();
    long before = greatestBefore.values().stream().mapToLong(Long::longValue).sum();
    assertThat(elapsed).isLessThan(World.WINDOW);
    assertThat(world.effective(node, "user"))
        .isEqualTo(current + before * (World.WINDOW - elapsed) / World.WINDOW);
  }
}
