package io.tidegate.simulator.overshoot;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Global counters that let somebody hear what a node is told. */
record Ear(GlobalCounters counters, Consumer<Component> listener) implements GlobalCounters {

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    return counters.push(components);
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    return counters.pull(since, nowMillis, listener.andThen(each));
  }

  @Override
  public void close() {
    counters.close();
  }
}
