package io.tidegate.spi;

import io.tidegate.model.WindowCell;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The counts shared by regions: for each cell, one component per region.
 *
 * <p>Calls return immediately and complete later, on any thread. They may fail, and they may never
 * complete: decisions do not depend on them, and the limiter calls again later. Implementations
 * must be thread-safe and must not retry.
 * {@code io.tidegate.testing.contract.GlobalCountersContract} in the test-jar of this module checks
 * an implementation.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").globalCounters(new InMemoryGlobalCounters()).build();
 * }</pre>
 */
public interface GlobalCounters extends AutoCloseable {

  /**
   * The mark of a pull that reads all components: {@code counters.pull("eu", EVERYTHING, now,
   * this::merge)}.
   */
  long EVERYTHING = 0;

  /**
   * Raises stored counts to those of the components, and never lowers one:
   * {@code counters.push(List.of(new Component("eu", cell, 7)))}. A push that failed may have been
   * applied, in full or in part. A component is kept at least until its cell expires
   * ({@link io.tidegate.model.WindowCell#expiresAtMillis}).
   *
   * @param components the components, each cell of a region once
   * @return the components that the store can never keep, for example because a name does not fit;
   *     the others are stored
   */
  CompletionStage<List<Component>> push(List<Component> components);

  /**
   * Reads the components of other regions that have changed since an earlier pull, of cells that
   * have not expired: {@code counters.pull("eu", mark, clock.millis(), this::merge)}. Unchanged
   * components may be included, and components may be repeated.
   *
   * @param region the region whose components are left out
   * @param since the mark that the earlier pull returned, or {@link #EVERYTHING}
   * @param nowMillis the current time, which decides whether a cell has expired
   * @param each receives each component, on any thread, one at a time
   * @return the mark for the next pull. A pull may miss a change that was in progress; the limiter
   *     therefore pulls everything from time to time
   */
  CompletionStage<Long> pull(String region, long since, long nowMillis, Consumer<Component> each);

  /**
   * Reads all components of one region, of cells that have not expired:
   * {@code counters.pullOwn("eu", clock.millis(), this::merge)}. The nodes of the region compare
   * them with what they have pushed.
   *
   * @param region the region
   * @param nowMillis the current time, which decides whether a cell has expired
   * @param each receives each component, on any thread, one at a time
   * @return completes when all components were received
   */
  CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each);

  /**
   * Records that a region with this name and identity exists, and counts the announcements of other
   * identities: {@code counters.announce("eu", "9f2c1k")}. If that number grows between two calls,
   * another region uses the same name.
   *
   * @param region the name of the region
   * @param identity the identity of the region, the same on all its nodes
   * @return the number of announcements so far with the same name and another identity; 0, the
   *     default, if announcements are not recorded
   */
  default CompletionStage<Long> announce(String region, String identity) {
    return CompletableFuture.completedFuture(0L);
  }

  /**
   * Reads the components of one cell, for operators: {@code counters.components(cell)}. They may be
   * those of a replica that is behind, as in {@link #pull}.
   *
   * @param cell the cell
   * @return one component for each region that has pushed a count. The default fails with an
   *     {@code UnsupportedOperationException}
   */
  default CompletionStage<List<Component>> components(WindowCell cell) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException(
        getClass().getName() + " cannot read single cells: it does not implement components"));
  }

  /** Releases all resources: {@code counters.close()}. Closing the limiter closes its counters. */
  @Override
  void close();
}
