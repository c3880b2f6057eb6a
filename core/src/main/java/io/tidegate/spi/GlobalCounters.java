package io.tidegate.spi;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The counts that regions share: for each cell, how much each region has counted.
 *
 * <p>Calls return at once and complete later, on any thread. They may fail, and they may never
 * complete: decisions do not depend on them, and the limiter tries again. Do not retry inside.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").globalCounters(new InMemoryGlobalCounters()).build();
 * }</pre>
 */
public interface GlobalCounters extends AutoCloseable {

  /**
   * Where a pull begins that is to read all: {@code counters.pull(EVERYTHING, now, this::merge)}.
   */
  long EVERYTHING = 0;

  /**
   * Raises components to their counts, and never lowers one: {@code counters.push(List.of(new
   * Component("eu", cell, 7)))}. Fails as a whole or not at all; one that failed may have been done
   * all the same. Every component is kept until the cell is over
   * ({@link io.tidegate.model.WindowCell#expiresAtMillis}) at least.
   *
   * @param components what to raise, each cell of a region once
   * @return those that cannot be kept, however often it is tried: others must not suffer from them
   */
  CompletionStage<List<Component>> push(List<Component> components);

  /**
   * Reads the components that have changed since an earlier pull, of cells that are not over:
   * {@code counters.pull(mark, clock.millis(), this::merge)}. What has not changed may be read as
   * well, and the same more than once.
   *
   * @param since what that pull returned, or {@link #EVERYTHING}
   * @param nowMillis the time by which a cell is over or not
   * @param each is called for each component, on any thread, one at a time
   * @return where the next pull should begin: all that was changed before this one began has been
   *     read, nearly always; a pull of everything makes up for the rest
   */
  CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each);

  /**
   * Records that a region with this name and identity is alive, and counts the announcements of
   * others: {@code counters.announce("eu", "9f2c1k")}. If that number grows from one call to the
   * next, another region uses the same name.
   *
   * @param region the name of the region
   * @param identity the identity of the region, the same on all its nodes
   * @return how many announcements with the same name and another identity have been recorded so
   *     far; 0, as by default, if they are not recorded
   */
  default CompletionStage<Long> announce(String region, String identity) {
    return CompletableFuture.completedFuture(0L);
  }

  /** Ends the connection: {@code counters.close()}. The limiter that was given them does. */
  @Override
  void close();
}
