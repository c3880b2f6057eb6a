package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Reports all pushed and pulled counts to the checks, and fails as faults require. */
record WatchedCounters(
    Node node,
    Referee referee,
    MessageCheck messageCheck,
    FaultInjector faults,
    boolean crowded,
    GlobalCounters counters)
    implements GlobalCounters {

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    components.forEach(component -> messageCheck.pushes(node, component));
    if (throwsNow()) {
      if (faults.choice(2) == 0) {
        var unused = counters.push(components); // takes effect, but its answer is lost
      }
      faults.fail();
    }
    return faults.isPushRefused()
        ? CompletableFuture.failedFuture(new SimulatedException("a deadlock"))
        : counters.push(components);
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    if (throwsNow()) {
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
            pulled(component);
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

  private boolean throwsNow() {
    return faults.throwsNow(FaultKind.DATABASE_CLIENT_THROWS, node);
  }

  /** A crowded node may skip what it has no room for; cells of the future are applied later. */
  private void pulled(Component component) {
    if (!crowded && component.cell().startMillis() <= node.millis()) {
      referee.pulled(node, component);
    }
  }

  @Override
  public void close() {
    counters.close();
  }
}
