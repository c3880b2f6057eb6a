package io.tidegate.spi;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The counts shared by the nodes of a region: for each cell, one count per writer.
 *
 * <p>An origin stores a count for each region, cell and writer, raises it to the greater of the
 * stored and the received one, and returns the sum over all writers with every answer. In the same
 * way it stores what one node, the reader, imports from other regions, and returns their sum apart.
 * It keeps a cell for three windows after its last change. And it keeps the nodes of each region
 * with the end of their registration, and which of them is the reader, by its own clock. It makes
 * no decisions.
 *
 * <p>Calls return immediately and complete later, on any thread. They may fail, and they may never
 * complete: the limiter bounds its wait, decides from memory, and calls again later.
 * Implementations must be thread-safe and must not retry, because a retry storm would outlive the
 * outage that caused it. {@code io.tidegate.testing.contract.RegionalOriginContract} in the
 * test-jar of this module checks an implementation.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").origin(new InMemoryOrigin()).build();
 * }</pre>
 */
public interface RegionalOrigin extends AutoCloseable {

  /**
   * Raises and reads cells of one series, in one round trip: {@code origin.read(List.of(new
   * OwnCount(writer, cell, 7), new OwnCount(writer, previous, 0)))}. A count of 0 raises nothing
   * and creates no cell.
   *
   * @param counts the counts of one writer in cells of one series
   * @return for each count, in the same order, the count of the cell just before it was raised
   */
  CompletionStage<List<RegionalCount>> read(List<OwnCount> counts);

  /**
   * Raises the stored counts of writers, and never lowers one: {@code origin.replay(List.of(new
   * OwnCount(writer, cell, 7)))}. Each count succeeds or fails on its own. A cell is kept for three
   * windows after its last replay, and then expires.
   *
   * @param counts the counts, each cell of a writer once
   * @return for each count, in the same order, the count of the cell just before it was raised
   */
  List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts);

  /**
   * Returns the name of the part of this origin that stores a series, such as a master of a
   * cluster. The limiter counts failures per part, so that one failed part does not degrade the
   * others. Must be fast and must not block; the name may change at any time.
   *
   * @param region the region of the node
   * @param series the series
   * @return the name; the default is the same for all series
   */
  default String part(String region, Series series) {
    return "";
  }

  /**
   * Stores counts that other regions have pushed, and the part of this region's counts that has
   * been pushed: {@code origin.store("eu", List.of(new Component("us", cell, 7)))}. Raises stored
   * counts, and never lowers one. Answers about a cell contain the sum over other regions, their
   * number, and the pushed count of this region. A store that failed may have been applied, in full
   * or in part. A cell is kept for three windows after its last store.
   *
   * @param region the region of the node, the owner of the cells
   * @param components counts of this region and of others; some may be repeated
   * @return completes when all are stored
   */
  CompletionStage<Void> store(String region, List<Component> components);

  /**
   * Registers a node of a region as alive for a time, and returns how many are:
   * {@code origin.register(new Registration("eu", "9f2c1k", Duration.ofSeconds(3), true))}. A node
   * repeats it every second. A registration with lifetime 0 removes the node.
   *
   * <p>At most one node at a time is the reader of the region: a node that can read becomes it if
   * no other is, and stays it for the lifetime of its last registration. A registration of the
   * reader that cannot read any more, or leaves, ends that at once.
   *
   * @param registration the node
   * @return the nodes of the region whose lifetime has not passed, by the clock of the origin
   */
  CompletionStage<LiveNodes> register(Registration registration);

  /**
   * Stores the identity of a region unless the origin has one already: {@code origin.identify("eu",
   * "9f2c1k")}. Two origins with different identities for one region name show that two regions
   * have the same name by mistake.
   *
   * @param region the region
   * @param candidate the identity to store if there is none
   * @return the stored identity; empty, the default, if the origin cannot store one, so that such
   *     mistakes are not detected
   */
  default CompletionStage<Optional<String>> identify(String region, String candidate) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * Reads all counts of a cell, for operators: {@code origin.inspect("eu", cell)}. Changes nothing,
   * the lifetime of the cell included. Far rarer than {@link #read}, which answers with sums only.
   *
   * @param region the region of the node, the owner of the cell
   * @param cell the cell
   * @return its counts; {@link OriginCell#NONE} if there are none. The default fails with an
   *     {@code UnsupportedOperationException}
   */
  default CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException(
        getClass().getName() + " cannot inspect cells: it does not implement inspect"));
  }

  /** Releases all resources: {@code origin.close()}. Closing the limiter closes its origin. */
  @Override
  void close();
}
