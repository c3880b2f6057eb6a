package io.tidegate.server.observe;

import io.tidegate.model.WindowCell;
import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Delegates to global counters and records why calls fail, because the limiter's observer receives
 * only the kind of failure. A reason is recorded before the stage of its call completes.
 */
final class WatchedGlobalCounters implements GlobalCounters {

  private final GlobalCounters counters;
  private final Dependency dependency;

  WatchedGlobalCounters(GlobalCounters counters, Dependency dependency) {
    this.counters = counters;
    this.dependency = dependency;
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    return dependency.watch(Access.WRITE, () -> counters.push(components));
  }

  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    return dependency.watch(Access.READ, () -> counters.pull(region, since, nowMillis, each));
  }

  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    return dependency.watch(Access.READ, () -> counters.pullOwn(region, nowMillis, each));
  }

  @Override
  public CompletionStage<Long> announce(String region, String identity) {
    return counters.announce(region, identity);
  }

  /** Not recorded: an inspection says itself why it failed, and decisions do not depend on it. */
  @Override
  public CompletionStage<List<Component>> components(WindowCell cell) {
    return counters.components(cell);
  }

  @Override
  public void close() {
    counters.close();
  }
}
