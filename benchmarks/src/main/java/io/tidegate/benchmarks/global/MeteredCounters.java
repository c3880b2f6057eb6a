package io.tidegate.benchmarks;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Global counters of one node that measure the CPU of what the limiter does with their answers, and
 * nothing of what the driver does.
 *
 * <p>What a pull brings is merged by the thousand instead of one by one: to ask for the CPU time
 * takes about as long as to merge a row.
 */
final class MeteredCounters implements GlobalCounters {

  private static final int MERGED_AT_ONCE = 1_000;

  private final GlobalCounters counters;
  private final ExchangeMeter meter;
  private final Consumer<Component> pushes;
  private volatile long pushCalls;
  private volatile boolean over;

  /** Around counters; each component that is pushed is shown to somebody. */
  MeteredCounters(GlobalCounters counters, ExchangeMeter meter, Consumer<Component> pushes) {
    this.counters = counters;
    this.meter = meter;
    this.pushes = pushes;
  }

  /** How often something was pushed. Only the node's own ticks push. */
  long pushCalls() {
    return pushCalls;
  }

  /** Answers without the database from now on: a node says goodbye, and nobody measures it. */
  void end() {
    over = true;
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    if (over) {
      return CompletableFuture.completedFuture(List.of());
    }
    pushCalls++;
    components.forEach(pushes);
    CompletableFuture<List<Component>> answer = new CompletableFuture<>();
    counters.push(components).whenComplete((refused, failure) -> {
      long before = Cpu.threadNanos();
      complete(answer, refused, failure);
      meter.tookAnswer(Cpu.threadNanos() - before);
    });
    return answer;
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    if (over) {
      return CompletableFuture.completedFuture(since);
    }
    List<Component> waiting = new ArrayList<>(MERGED_AT_ONCE);
    CompletableFuture<Long> answer = new CompletableFuture<>();
    CompletionStage<Long> pull = counters.pull(since, nowMillis, component -> {
      waiting.add(component);
      if (waiting.size() == MERGED_AT_ONCE) {
        merge(waiting, each);
      }
    });
    pull.whenComplete((next, failure) -> {
      merge(waiting, each);
      complete(answer, next, failure);
    });
    return answer;
  }

  private void merge(List<Component> components, Consumer<Component> each) {
    long before = Cpu.threadNanos();
    components.forEach(each);
    meter.merged(Cpu.threadNanos() - before);
    components.clear();
  }

  private static <T> void complete(
      CompletableFuture<T> answer, T value, @Nullable Throwable failure) {
    if (failure == null) {
      answer.complete(value);
    } else {
      answer.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    counters.close();
  }
}
