package io.tidegate.benchmarks.global;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The origin of one region in memory, in place of a Redis that this benchmark does not measure. */
final class FleetOrigin implements RegionalOrigin {

  /** Counts by writer. Each inner map is guarded by itself. */
  private final Map<WindowCell, Map<String, Long>> cells = new ConcurrentHashMap<>();

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> wanted) {
    return CompletableFuture.completedFuture(wanted.stream()
        .map(cell -> count(cells.getOrDefault(cell, Map.of()), writer))
        .toList());
  }

  private static RegionalCount count(Map<String, Long> counts, Writer writer) {
    synchronized (counts) {
      long total = counts.values().stream().mapToLong(Long::longValue).sum();
      return new RegionalCount(total, counts.getOrDefault(writer.name(), 0L));
    }
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    return counts.stream().map(this::raise).toList();
  }

  private CompletionStage<RegionalCount> raise(OwnCount own) {
    Map<String, Long> counts = cells.computeIfAbsent(own.cell(), cell -> new HashMap<>(4));
    synchronized (counts) {
      RegionalCount before = count(counts, own.writer());
      counts.merge(own.writer().name(), own.count(), Math::max);
      return CompletableFuture.completedFuture(before);
    }
  }

  /** Removes cells that no longer affect decisions. */
  void removeExpired(long nowMillis) {
    cells
        .keySet()
        .removeIf(
            cell -> cell.expiresAtMillis() + cell.series().scope().windowMillis() < nowMillis);
  }

  /** Does nothing, because several limiters share the origin. */
  @Override
  public void close() {}
}
