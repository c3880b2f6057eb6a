package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Bytes of heap per series of {@code maxSeries}, as stated in docs/operating.md. The bounds here
 * are a little wider, because other tests may leave objects behind.
 */
class MemoryBoundTest {

  private static final int MAX_SERIES = 40_000;

  /** New identifiers of a spray, as a multiple of {@code maxSeries}. */
  private static final int SPRAY = 3;

  @SuppressWarnings("StaticAssignmentOfThrowable") // shared, so that failures allocate nothing
  private static final Throwable DOWN = new IllegalStateException("down");

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:01Z"));

  private static final class DeadOrigin implements RegionalOrigin {

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return counts.stream()
          .<CompletionStage<RegionalCount>>map(count -> CompletableFuture.failedFuture(DOWN))
          .toList();
    }

    @Override
    public void close() {}
  }

  private static final class DeadCounters implements GlobalCounters {

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.failedFuture(DOWN);
    }

    @Override
    public void close() {}
  }

  private RateLimiterBuilder alone() {
    return RateLimiter.builder().clock(time).scheduler(time).maxSeries(MAX_SERIES);
  }

  private RateLimiterBuilder withoutStores() {
    return alone().region("eu").origin(new DeadOrigin()).globalCounters(new DeadCounters());
  }

  private long bytes(RateLimiterBuilder builder, int rounds, boolean scopeForEach) {
    long before = usedBytes();
    RateLimiter limiter = builder.build();
    time.advance(Duration.ofSeconds(8)); // opens the circuit breakers
    for (int i = 0; i < rounds * MAX_SERIES; i++) {
      String number = String.format("%019d", i);
      limiter.tryAcquire(LimitRequest.of(
          "acme", scopeForEach ? "name_" + number : "login", "user_" + number, Limit.perDay(10)));
      if (i % 1_000 == 0) {
        time.advance(Duration.ofMillis(20));
      }
    }
    long used = usedBytes() - before;
    assertThat(limiter.stats().series()).isEqualTo(MAX_SERIES); // also keeps the limiter reachable
    limiter.close();
    return used / MAX_SERIES;
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void bytesPerSeriesOfANodeWithoutStores() {
    assertThat(bytes(alone(), SPRAY, false)).isBetween(100L, 230L);
  }

  @Test
  void bytesPerSharedSeries() {
    assertThat(bytes(withoutStores(), 1, false)).isBetween(200L, 360L);
  }

  @Test
  void bytesPerSeriesOfASprayWhileBothStoresAreUnavailable() {
    assertThat(bytes(withoutStores(), SPRAY, false)).isBetween(250L, 620L);
  }

  @Test
  void bytesPerSeriesWithAScopeOfItsOwn() {
    assertThat(bytes(alone(), 1, true)).isBetween(300L, 500L);
  }
}
