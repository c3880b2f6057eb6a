package io.tidegate.redis;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads and raises the counts of cells in Redis. A cell is a hash with one field per writer, one
 * per other region, and the sums over both, so that the cost of a command does not depend on their
 * number.
 */
final class CellStore {

  static final Script RAISE = Script.read("raise.lua");
  private static final Script STORE = Script.read("store.lua");
  private static final Script INSPECT = Script.read("inspect.lua");

  /**
   * Lifetime of a cell, in windows after its last change: one as the current cell, one as the
   * previous cell, and one for nodes whose clocks are behind.
   */
  private static final int LIFETIME_WINDOWS = 3;

  /** Highest count: the scripts compute in doubles, which are exact up to 2^53. */
  private static final long MAX_COUNT = 1L << 53;

  /**
   * Most fields of a cell that are inspected: some milliseconds of Redis' time. A cell has one for
   * each incarnation of a node; only long windows with many restarts or evictions have more.
   */
  static final int MAX_INSPECTED = 10_000;

  private CellStore() {}

  /** Reads a cell, and raises the writer's count first if there is one. */
  static CompletableFuture<RegionalCount> read(Pipeline pipeline, OwnCount own) {
    if (own.count() > 0) {
      return raise(pipeline, own);
    }
    String key = CellKey.of(own.writer().region(), own.cell());
    return pipeline
        .fields(
            key,
            CellKey.TOTAL,
            CellKey.field(own.writer().name()),
            CellKey.IMPORTED,
            CellKey.REGIONS,
            CellKey.PUSHED)
        .thenApply(stored -> parse(key, stored));
  }

  /** Raises a writer's count; 0 changes nothing and creates no cell. */
  static CompletableFuture<RegionalCount> raise(Pipeline pipeline, OwnCount own) {
    String key = CellKey.of(own.writer().region(), own.cell());
    String field = CellKey.field(own.writer().name());
    return run(pipeline, RAISE, key, own.cell(), field, own.count())
        .thenApply(stored -> parse(key, stored));
  }

  /** Raises the pushed count of a region, in a cell of the given region. */
  static CompletableFuture<?> store(Pipeline pipeline, String region, Component component) {
    String key = CellKey.of(region, component.cell());
    String field =
        component.region().equals(region) ? CellKey.PUSHED : CellKey.from(component.region());
    return run(pipeline, STORE, key, component.cell(), field, component.count());
  }

  /** Reads all counts of a cell. */
  static CompletableFuture<OriginCell> inspect(Pipeline pipeline, String region, WindowCell cell) {
    String key = CellKey.of(region, cell);
    return pipeline
        .run(INSPECT, List.of(key), Integer.toString(MAX_INSPECTED))
        .thenApply(fields -> parseAll(key, region, fields));
  }

  private static OriginCell parseAll(String key, String region, List<@Nullable String> fields) {
    Map<String, Long> writers = new HashMap<>();
    Map<String, Long> components = new HashMap<>();
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      String field = Objects.requireNonNull(fields.get(i));
      long count = parse(key, fields.get(i + 1));
      CellKey.writerOf(field).ifPresent(writer -> writers.put(writer, count));
      CellKey.regionOf(field).ifPresent(other -> components.put(other, count));
      if (field.equals(CellKey.PUSHED)) {
        components.put(region, count);
      }
    }
    return new OriginCell(writers, components);
  }

  /**
   * Raises a field, and sets the lifetime of the cell each time: a cell that was lost, or that
   * expired during a stall, is created again by a repeated count and must expire as well. The
   * lifetime is relative, since the clocks of nodes and Redis may differ.
   */
  private static CompletableFuture<List<@Nullable String>> run(
      Pipeline pipeline, Script script, String key, WindowCell cell, String field, long count) {
    if (count > MAX_COUNT) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("count must not exceed 2^53: " + count + " in " + key));
    }
    long lifetimeMillis = LIFETIME_WINDOWS * cell.series().scope().windowMillis();
    return pipeline.run(
        script, List.of(key), field, Long.toString(count), Long.toString(lifetimeMillis));
  }

  private static RegionalCount parse(String key, List<@Nullable String> stored) {
    return new RegionalCount(
        parse(key, stored.get(0)),
        parse(key, stored.get(1)),
        parse(key, stored.get(2)),
        parseRegions(key, stored.get(3)),
        parse(key, stored.get(4)));
  }

  private static int parseRegions(String key, @Nullable String stored) {
    long regions = parse(key, stored);
    if (regions > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("not a number of regions: " + regions + " in " + key);
    }
    return (int) regions;
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
