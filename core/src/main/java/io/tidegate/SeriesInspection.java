package io.tidegate;

import io.tidegate.local.Cells;
import io.tidegate.model.Bounds;
import io.tidegate.model.CellCounts;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.Series;
import io.tidegate.model.SeriesMemory;
import io.tidegate.model.StoreInspection;
import io.tidegate.model.WindowCell;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is known of a series: by the memory of one node, by the origin of its region, and by the
 * global counters.
 *
 * <pre>{@code
 * SeriesInspection found = limiter.inspect(scope, "user_42").toCompletableFuture().join();
 * long remaining = found.decide(10, 0).remaining();
 * }</pre>
 *
 * <p><b>The largest known count</b> of a cell is the sum of two parts. Each is the greatest that
 * any source knows, because counts only grow and each source may lack the latest:
 *
 * <ul>
 *   <li>of this region: memory (own and peers'), the sum over the nodes in the origin, the pushed
 *       count in the origin, this region's count in the global counters;
 *   <li>of other regions: memory (imported), and the sum over them of the greater count in the
 *       origin and in the global counters.
 * </ul>
 *
 * <p>It lacks what nodes have admitted since they last sent their counts: some milliseconds, longer
 * while the origin fails. Between regions it lacks what the push policy holds back.
 *
 * @param region the region of the node
 * @param node the node that was asked, as it is named in the origin
 * @param timeMillis the time of the node's clock, in milliseconds since 1970
 * @param currentCell the cell that a decision of the node would count in. Later than the time if
 *     the clock was set back
 * @param memory what the node holds; empty if it holds nothing of the series
 * @param origin what the origin holds; empty if there is none
 * @param globalCounters the count of each region in the global counters; empty if there are none
 */
public record SeriesInspection(
    String region,
    String node,
    long timeMillis,
    WindowCell currentCell,
    Optional<SeriesMemory> memory,
    Optional<StoreInspection<OriginCounts>> origin,
    Optional<StoreInspection<Map<String, Long>>> globalCounters) {

  /** Rejects missing values. */
  public SeriesInspection {
    Objects.requireNonNull(region, "region must not be null");
    Objects.requireNonNull(node, "node must not be null");
    Objects.requireNonNull(currentCell, "currentCell must not be null");
    Objects.requireNonNull(memory, "memory must not be null");
    Objects.requireNonNull(origin, "origin must not be null");
    Objects.requireNonNull(globalCounters, "globalCounters must not be null");
  }

  /**
   * Returns the series: {@code inspection.series()}.
   *
   * @return scope and identifier
   */
  public Series series() {
    return currentCell.series();
  }

  /**
   * Returns the previous cell: {@code inspection.previousCell().startMillis()}.
   *
   * @return the cell before the current one
   */
  public WindowCell previousCell() {
    return currentCell.previous();
  }

  /**
   * Returns the part of the previous cell that the sliding window still covers:
   * {@code inspection.overlapMillis()}. Divided by the window, it is the weight of the previous
   * cell.
   *
   * @return milliseconds, from the whole window down to 1
   */
  public long overlapMillis() {
    return memoryCells().overlapMillis(timeMillis);
  }

  /**
   * Returns the largest known count of the current cell: {@code inspection.currentCount()}.
   *
   * @return tokens of all nodes and regions
   */
  public long currentCount() {
    return largest(
        memory.map(SeriesMemory::current),
        origin.flatMap(StoreInspection::current),
        globalCounters.flatMap(StoreInspection::current));
  }

  /**
   * Returns the largest known count of the previous cell: {@code inspection.previousCount()}.
   *
   * @return tokens of all nodes and regions
   */
  public long previousCount() {
    return largest(
        memory.map(SeriesMemory::previous),
        origin.flatMap(StoreInspection::previous),
        globalCounters.flatMap(StoreInspection::previous));
  }

  /**
   * Returns the effective count of a peek, by the largest known counts:
   * {@code inspection.effectiveCount()}.
   *
   * @return the current count plus the weighted previous one
   */
  public long effectiveCount() {
    return largestCells().effective(0, timeMillis);
  }

  /**
   * Returns the effective count of a peek, by the memory of the node:
   * {@code inspection.effectiveCountInMemory()}.
   *
   * @return the current count plus the weighted previous one; 0 if the node holds nothing
   */
  public long effectiveCountInMemory() {
    return memoryCells().effective(0, timeMillis);
  }

  /**
   * Returns what a request would be answered by the largest known counts, without charging it:
   * {@code inspection.decide(10, 1).retryAfter()}.
   *
   * @param limit tokens per window
   * @param cost tokens that the request would take; 0 for a peek
   * @return the decision: from the origin if it has answered, degraded if it has failed
   */
  public Decision decide(long limit, long cost) {
    boolean answered = origin.flatMap(StoreInspection::current).isPresent();
    return decide(largestCells(), limit, cost)
        .restingOn(answered ? Source.ORIGIN : Source.LOCAL, origin.isPresent() && !answered);
  }

  /**
   * Returns what a request would be answered by the memory of the node alone, without charging it:
   * {@code inspection.decideFromMemory(10, 1).allowed()}.
   *
   * @param limit tokens per window
   * @param cost tokens that the request would take; 0 for a peek
   * @return the decision
   */
  public Decision decideFromMemory(long limit, long cost) {
    return decide(memoryCells(), limit, cost);
  }

  private Decision decide(Cells cells, long limit, long cost) {
    Bounds.checkTokens("limit", limit);
    Bounds.checkTokens("cost", cost);
    return cells.decide(limit, cost, timeMillis);
  }

  private Cells largestCells() {
    return cells(currentCount(), previousCount());
  }

  private Cells memoryCells() {
    return cells(
        memory.map(held -> held.current().total()).orElse(0L),
        memory.map(held -> held.previous().total()).orElse(0L));
  }

  private Cells cells(long current, long previous) {
    return new Cells(currentCell.startMillis(), series().scope().windowMillis(), current, previous);
  }

  private long largest(
      Optional<CellCounts> held,
      Optional<OriginCounts> stored,
      Optional<Map<String, Long>> pushed) {
    Map<String, Long> regions = new HashMap<>(pushed.orElse(Map.of()));
    stored.ifPresent(counts -> {
      counts.imported().forEach((other, count) -> regions.merge(other, count, Math::max));
      regions.merge(region, Math.max(counts.regional(), counts.pushed()), Math::max);
    });
    Long inStores = regions.remove(region);
    long imported = regions.values().stream().mapToLong(Long::longValue).sum();
    CellCounts inMemory = held.orElse(CellCounts.NONE);
    return Math.max(inMemory.regional(), inStores == null ? 0 : inStores)
        + Math.max(inMemory.imported(), imported);
  }
}
