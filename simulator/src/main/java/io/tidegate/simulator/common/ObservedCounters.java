package io.tidegate.simulator.common;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Global counters with listeners for each row, before it is pushed or the node receives it. */
public record ObservedCounters(
    GlobalCounters counters, Consumer<Component> pushed, Consumer<Component> pulled)
    implements GlobalCounters {

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    components.forEach(pushed);
    return counters.push(components);
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    return counters.pull(since, nowMillis, pulled.andThen(each));
  }

  @Override
  public void close() {
    counters.close();
  }
}
