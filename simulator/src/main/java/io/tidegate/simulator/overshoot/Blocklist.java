package io.tidegate.simulator.overshoot;

import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Shares denials instead of counts, as the reference system did before its design. A node that
 * denies a request writes a row at once. A node of another region that reads the row considers the
 * limit of that cell to be used up.
 *
 * @param database stores a row for each region that denies in a cell
 * @param written cells with a denial that this node has written
 * @param read cells with a denial that the reader of the region has read
 */
record Blocklist(
    GlobalCounters database,
    String region,
    long limit,
    ToLongFunction<WindowCell> regionalCount,
    Set<WindowCell> written,
    Set<WindowCell> read)
    implements GlobalCounters, LimiterObserver {

  Blocklist(
      GlobalCounters database,
      String region,
      long limit,
      ToLongFunction<WindowCell> regionalCount,
      Set<WindowCell> read) {
    this(database, region, limit, regionalCount, new HashSet<>(), read);
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    if (!decision.allowed()) {
      WindowCell cell = WindowCell.at(new Series(scope, identifier), decision.resetAtMillis() - 1);
      if (!read.contains(cell) && written.add(cell)) {
        var unused = database.push(List.of(new Component(region, cell, 1)));
      }
    }
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    throw new IllegalStateException("a blocklist does not push counts: " + components);
  }

  /**
   * Reads all denials of other regions in live cells, each time, and adds a count that fills them.
   */
  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    return database.pull(region, EVERYTHING, nowMillis, denial -> {
      read.add(denial.cell());
      long missing = limit - regionalCount.applyAsLong(denial.cell());
      if (missing > 0) {
        each.accept(new Component("blocklist", denial.cell(), missing));
      }
    });
  }

  /** A region has no counts of its own in the database. */
  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {
    database.close();
  }
}
