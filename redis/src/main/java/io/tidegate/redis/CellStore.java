package io.tidegate.redis;

import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads and raises the counts of cells in Redis. A cell is a hash with one field per writer and one
 * for the total, so that the cost of a command does not depend on the number of writers.
 */
final class CellStore {

  static final Script RAISE = Script.read("raise.lua");

  /**
   * Lifetime of a cell, in windows after its last change: one as the current cell, one as the
   * previous cell, and one for nodes whose clocks are behind.
   */
  private static final int LIFETIME_WINDOWS = 3;

  /** Highest count: the script computes in doubles, which are exact up to 2^53. */
  private static final long MAX_COUNT = 1L << 53;

  private CellStore() {}

  /** Reads a cell, and raises the writer's count first if there is one. */
  static CompletableFuture<RegionalCount> read(Pipeline pipeline, OwnCount own) {
    if (own.count() > 0) {
      return raise(pipeline, own);
    }
    String key = CellKey.of(own.writer().region(), own.cell());
    return pipeline
        .fields(key, CellKey.TOTAL, CellKey.field(own.writer().name()))
        .thenApply(stored -> parse(key, stored));
  }

  /**
   * Raises a writer's count; 0 changes nothing and creates no cell. Sets the lifetime of the cell
   * each time: a cell that was lost, or that expired during a stall, is created again by a repeated
   * count and must expire as well. The lifetime is relative, since the clocks of nodes and Redis
   * may differ.
   */
  static CompletableFuture<RegionalCount> raise(Pipeline pipeline, OwnCount own) {
    if (own.count() > MAX_COUNT) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("count must not exceed 2^53: " + own.count()));
    }
    String key = CellKey.of(own.writer().region(), own.cell());
    long lifetimeMillis = LIFETIME_WINDOWS * own.cell().series().scope().windowMillis();
    return pipeline
        .run(
            RAISE,
            key,
            CellKey.TOTAL,
            CellKey.field(own.writer().name()),
            Long.toString(own.count()),
            Long.toString(lifetimeMillis))
        .thenApply(stored -> parse(key, stored));
  }

  private static RegionalCount parse(String key, List<@Nullable String> stored) {
    return new RegionalCount(parse(key, stored.get(0)), parse(key, stored.get(1)));
  }

  private static long parse(String key, @Nullable String stored) {
    try {
      long count = stored == null ? 0 : Long.parseLong(stored);
      if (count >= 0 && count <= MAX_COUNT) {
        return count;
      }
    } catch (NumberFormatException e) {
      // rejected below, like other impossible values
    }
    throw new IllegalArgumentException("not a count from 0 to 2^53: " + stored + " in " + key);
  }
}
