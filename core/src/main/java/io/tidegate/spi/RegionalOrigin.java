package io.tidegate.spi;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The counts that the nodes of a region share: for each cell, how much each writer has accepted.
 *
 * <p>Calls return at once and complete later, on any thread. They may fail, and they may never
 * complete: the limiter bounds its waiting, decides from its own memory, and tries again. Do not
 * retry inside; a retry storm would outlive the outage that caused it.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").origin(new InMemoryOrigin()).build();
 * }</pre>
 */
public interface RegionalOrigin extends AutoCloseable {

  /**
   * Reads cells of one series, in one round trip: {@code origin.read(writer, List.of(cell,
   * cell.previous()))}.
   *
   * @param writer whose part is told apart
   * @param cells the cells
   * @return what the origin holds of each, in the same order
   */
  CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> cells);

  /**
   * Raises the writers' parts to their counts, and never lowers one:
   * {@code origin.replay(List.of(new OwnCount(writer, cell, 7)))}. One that fails does not keep the
   * others from being raised. A cell is kept for three windows after its last count, and then let
   * go.
   *
   * @param counts what to raise, each cell of a writer once
   * @return for each count, in the same order, what the origin held just before raising it
   */
  List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts);

  /**
   * Name of the part of this origin that stores a series, such as a master of a cluster. The
   * limiter counts failures per part, so that one failed part does not degrade the others. Must be
   * fast and must not block; the name may change at any time.
   *
   * @param region the region of the node that asks
   * @param series the series
   * @return the name, by default the same for all series
   */
  default String part(String region, Series series) {
    return "";
  }

  /**
   * Stores the identity of a region unless the origin holds one already:
   * {@code origin.identify("eu", "9f2c1k")}. Two origins that hold different identities for one
   * region name belong to two regions that were given the same name by mistake.
   *
   * @param region the region
   * @param candidate the identity to store if there is none
   * @return the identity that the origin holds; empty, as by default, if it cannot hold one, which
   *     leaves such mistakes undetected
   */
  default CompletionStage<Optional<String>> identify(String region, String candidate) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Ends the connection: {@code origin.close()}. The limiter that was given this origin does. */
  @Override
  void close();
}
