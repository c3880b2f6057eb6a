package io.tidegate.simulator.common;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Global counters with listeners for each pushed row and for both kinds of pulls. */
public record ObservedCounters(
    GlobalCounters counters, Consumer<Component> pushed, Runnable pulls, Runnable ownPulls)
    implements GlobalCounters {

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    components.forEach(pushed);
    return counters.push(components);
  }

  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    pulls.run();
    return counters.pull(region, since, nowMillis, each);
  }

  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    ownPulls.run();
    return counters.pullOwn(region, nowMillis, each);
  }

  @Override
  public CompletionStage<List<Component>> components(WindowCell cell) {
    return counters.components(cell);
  }

  @Override
  public void close() {
    counters.close();
  }
}
