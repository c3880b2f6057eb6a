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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Tells verdicts instead of counts, as was done before counts were shared: a node that denies
 * writes so at once, and a node that reads of it in another region takes the cell for used up.
 */
final class Blocklist implements GlobalCounters, LimiterObserver {

  /** Whose count it is that fills a cell up to its limit. */
  private static final String NOBODY = "blocklist";

  private final GlobalCounters database;
  private final String region;
  private final long limit;
  private final ToLongFunction<WindowCell> regional;
  private final Set<WindowCell> settled = new HashSet<>();

  /**
   * The blocklist as one node sees it.
   *
   * @param database where verdicts are kept: a row for each region that denies in a cell
   * @param region of the node
   * @param limit of all requests
   * @param regional what the region has counted in a cell
   */
  Blocklist(
      GlobalCounters database, String region, long limit, ToLongFunction<WindowCell> regional) {
    this.database = database;
    this.region = region;
    this.limit = limit;
    this.regional = regional;
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    if (!decision.allowed()) {
      WindowCell cell = WindowCell.at(new Series(scope, identifier), decision.resetAtMillis() - 1);
      if (settled.add(cell)) {
        database.push(List.of(new Component(region, cell, 1)));
      }
    }
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    throw new IllegalStateException("counts are not told: " + components);
  }

  /** Reads all verdicts on cells that are not over, as it was. */
  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    return database.pull(EVERYTHING, nowMillis, verdict -> {
      if (!verdict.region().equals(region)) {
        fill(verdict.cell(), each);
      }
    });
  }

  private void fill(WindowCell cell, Consumer<Component> each) {
    settled.add(cell);
    long missing = limit - regional.applyAsLong(cell);
    if (missing > 0) {
      each.accept(new Component(NOBODY, cell, missing));
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
