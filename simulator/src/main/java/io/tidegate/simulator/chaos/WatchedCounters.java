package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Global counters of which the referee hears all, and which fail in ways of their own. */
record WatchedCounters(
    Node node, Referee referee, FaultInjector faults, boolean crowded, GlobalCounters counters)
    implements GlobalCounters {

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    components.forEach(component -> referee.pushes(node, component));
    if (faults.databaseClientThrows(node)) {
      if (faults.choice(2) == 0) {
        counters.push(components); // and fails when all has been sent
      }
      faults.fail();
    }
    return faults.isPushRefused()
        ? CompletableFuture.failedFuture(new SimulatedException("a deadlock"))
        : counters.push(components);
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    if (faults.databaseClientThrows(node)) {
      if (faults.choice(2) == 0) {
        return CompletableFuture.failedFuture(faults.failure());
      }
      faults.fail();
    }
    int rows = faults.rowsBeforePullBreaks();
    int[] read = new int[1];
    return counters
        .pull(since, nowMillis, component -> {
          if (read[0]++ < rows) {
            hear(component);
            each.accept(component);
          }
        })
        .thenApply(next -> {
          if (read[0] > rows) {
            throw new SimulatedException("the connection broke");
          }
          return next;
        });
  }

  /**
   * A node that has too many series may let pass what it has no room for; what has not begun by its
   * clock, it keeps for later.
   */
  private void hear(Component component) {
    if (!crowded && component.cell().startMillis() <= node.millis()) {
      referee.hears(node, component);
    }
  }

  @Override
  public void close() {
    counters.close();
  }
}
