package io.tidegate.application;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;

/** An application outside the module: pushes a count, pulls it and prints it. */
public final class Application {

  private Application() {}

  public static void main(String[] arguments) {
    WindowCell cell = WindowCell.at(
        new Series(new Scope("acme", "login", 3_600_000), "user"), System.currentTimeMillis());
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(arguments[0])) {
      counters.push(List.of(new Component("eu", cell, 7))).toCompletableFuture().join();
      counters
          .pull(
              "us",
              GlobalCounters.EVERYTHING,
              System.currentTimeMillis(),
              component -> System.out.print("pulled " + component.count() + "\n"))
          .toCompletableFuture()
          .join();
    }
  }
}
