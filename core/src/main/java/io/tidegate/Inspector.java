package io.tidegate;

import io.tidegate.global.GlobalLayer;
import io.tidegate.local.SeriesReading;
import io.tidegate.local.SeriesStore;
import io.tidegate.model.Bounds;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.Series;
import io.tidegate.model.StoreInspection;
import io.tidegate.model.WindowCell;
import io.tidegate.regional.Refresher;
import io.tidegate.runtime.CallReport;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads what is known of a series, without changing it. */
final class Inspector {

  private final SeriesStore store;
  private final @Nullable Refresher refresher; // null without an origin
  private final @Nullable GlobalLayer global; // null without global counters
  private final String region;
  private final String node;
  private final InstantSource clock;

  Inspector(
      SeriesStore store,
      @Nullable Refresher refresher,
      @Nullable GlobalLayer global,
      String region,
      String node,
      InstantSource clock) {
    this.store = store;
    this.refresher = refresher;
    this.global = global;
    this.region = region;
    this.node = node;
    this.clock = clock;
  }

  /** Reads the memory of this node, and asks both stores at the same time. Never fails. */
  CompletionStage<SeriesInspection> inspect(Series series) {
    long now = Bounds.checkTime(clock.millis());
    Optional<SeriesReading> held = SeriesReading.of(store, series, now);
    WindowCell current =
        WindowCell.at(series, held.map(SeriesReading::startMillis).orElse(now));
    CompletableFuture<Optional<StoreInspection<OriginCounts>>> origin =
        refresher == null ? absent() : settled(refresher.inspect(current));
    CompletableFuture<Optional<StoreInspection<Map<String, Long>>>> counters =
        global == null ? absent() : settled(global.inspect(current));
    return origin.thenCombine(
        counters,
        (inOrigin, inCounters) -> new SeriesInspection(
            region, node, now, current, held.map(SeriesReading::memory), inOrigin, inCounters));
  }

  private static <T> CompletableFuture<Optional<StoreInspection<T>>> absent() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** The answer about both cells, the current one first; null if no call was made. */
  private static <T> CompletableFuture<Optional<StoreInspection<T>>> settled(
      @Nullable CompletableFuture<List<T>> answer) {
    if (answer == null) {
      return CompletableFuture.completedFuture(
          Optional.of(StoreInspection.failed(CallReport.describe(null))));
    }
    return answer.handle((cells, failure) -> Optional.of(
        failure == null
            ? StoreInspection.answered(cells.get(0), cells.get(1))
            : StoreInspection.failed(CallReport.describe(failure))));
  }
}
