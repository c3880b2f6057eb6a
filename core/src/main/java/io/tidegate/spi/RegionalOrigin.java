package io.tidegate.spi;

import io.tidegate.model.WindowCell;
import java.util.List;
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

  /** Ends the connection: {@code origin.close()}. The limiter that was given this origin does. */
  @Override
  void close();
}
