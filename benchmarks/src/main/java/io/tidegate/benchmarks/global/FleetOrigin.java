package io.tidegate.benchmarks.global;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The origin of one region in memory, in place of a Redis that this benchmark does not measure. It
 * uses as little CPU time as possible.
 */
final class FleetOrigin implements RegionalOrigin {

  private static final RegionalCount NONE = new RegionalCount(0, 0);

  private final Map<WindowCell, Parts> cells = new ConcurrentHashMap<>();

  @Override
  public CompletionStage<List<RegionalCount>> read(Writer writer, List<WindowCell> wanted) {
    return CompletableFuture.completedFuture(
        wanted.stream().map(cell -> count(cell, writer.name())).toList());
  }

  private RegionalCount count(WindowCell cell, String writer) {
    Parts parts = cells.get(cell);
    return parts == null ? NONE : parts.count(writer);
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    return counts.stream().map(this::raise).toList();
  }

  private CompletionStage<RegionalCount> raise(OwnCount own) {
    Parts parts = cells.computeIfAbsent(own.cell(), cell -> new Parts());
    return CompletableFuture.completedFuture(parts.raise(own.writer().name(), own.count()));
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

  /** The counts of a cell by writer. A linear search is fastest for the few nodes of a region. */
  private static final class Parts {

    private String[] writers = {};
    private long[] counts = {};

    synchronized RegionalCount count(String writer) {
      long total = 0;
      long own = 0;
      for (int i = 0; i < writers.length; i++) {
        total += counts[i];
        own += writers[i].equals(writer) ? counts[i] : 0;
      }
      return new RegionalCount(total, own);
    }

    synchronized RegionalCount raise(String writer, long count) {
      RegionalCount before = count(writer);
      int i = Arrays.asList(writers).indexOf(writer);
      if (i < 0) {
        i = writers.length;
        writers = Arrays.copyOf(writers, i + 1);
        counts = Arrays.copyOf(counts, i + 1);
        writers[i] = writer;
      }
      counts[i] = Math.max(counts[i], count);
      return before;
    }
  }
}
