package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A client of the database with the code of a node, but without a limiter. */
final class DatabaseClient implements AutoCloseable {

  /** Rows per statement: the most that a node pushes at once. */
  static final int ROWS = 500;

  private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(1));

  private final int number;
  private final GlobalCounters counters;
  private final LongAdder rowsRead = new LongAdder();

  DatabaseClient(String jdbcUrl, int number) {
    this.number = number;
    this.counters =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect();
  }

  /** A component of a series that no other client has. */
  Component component(int index, long count) {
    Series series = new Series(SCOPE, Identifiers.identifier(index) + "-" + number);
    return new Component(
        "region-" + number, WindowCell.at(series, System.currentTimeMillis()), count);
  }

  void push(List<Component> components) {
    counters.push(components).toCompletableFuture().join();
  }

  /** Reads the rows that changed since a mark, and returns the next mark. */
  long pull(long since) {
    return counters
        .pull(since, System.currentTimeMillis(), component -> rowsRead.increment())
        .toCompletableFuture()
        .join();
  }

  long rowsRead() {
    return rowsRead.sum();
  }

  @Override
  public void close() {
    counters.close();
  }
}
