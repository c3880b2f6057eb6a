package io.tidegate.redis;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Writer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads and raises cells. A cell is a hash: one field per writer with its count, and the total of
 * all under a field of its own. So neither reading nor raising depends on the number of writers.
 */
final class Cells {

  static final Script RAISE = Script.read("raise.lua");

  /**
   * The next cell still needs this one, and a node whose clock is behind needs it a while longer.
   */
  private static final int LIFE_WINDOWS = 3;

  /** Counts are doubles in the script, and exact up to here. */
  private static final long MAX_COUNT = 1L << 53;

  private Cells() {}

  static CompletableFuture<RegionalCount> read(Pipeline pipeline, Writer writer, WindowCell cell) {
    String key = CellKey.of(writer.region(), cell);
    return pipeline
        .fields(key, CellKey.TOTAL, CellKey.field(writer.name()))
        .thenApply(stored -> parse(key, stored));
  }

  /**
   * Raises a writer's count. Sets the lifetime every time: a cell that was lost, or expired during
   * a long stall, is created anew by a repeated count and must expire as well. The lifetime is
   * relative, since clocks may differ.
   */
  static CompletableFuture<RegionalCount> raise(Pipeline pipeline, OwnCount own) {
    if (own.count() > MAX_COUNT) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("count must not exceed 2^53: " + own.count()));
    }
    return raise(pipeline, own.writer(), own.cell(), own.count());
  }

  /** Raises a writer's count; 0 changes nothing, and creates no cell. */
  static CompletableFuture<RegionalCount> raise(
      Pipeline pipeline, Writer writer, WindowCell cell, long count) {
    String key = CellKey.of(writer.region(), cell);
    long lifeMillis = LIFE_WINDOWS * cell.series().scope().windowMillis();
    return pipeline
        .run(
            RAISE,
            key,
            CellKey.TOTAL,
            CellKey.field(writer.name()),
            Long.toString(count),
            Long.toString(lifeMillis))
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
      // refused below, as other impossible values are
    }
    throw new IllegalArgumentException("not a count from 0 to 2^53: " + stored + " in " + key);
  }
}
