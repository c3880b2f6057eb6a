package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Global counters of one node that measure the CPU time of the limiter when it handles answers,
 * without the database driver.
 *
 * <p>Pulled rows are merged a thousand at a time, because reading the CPU time costs about as much
 * as merging a row.
 */
final class MeteredCounters implements GlobalCounters {

  private static final int MERGE_BATCH = 1_000;

  private final GlobalCounters counters;
  private final ExchangeMeter meter;
  private final Consumer<Component> pushes;
  private final AtomicLong pushCalls = new AtomicLong();
  private volatile boolean stopped;

  /** Wraps counters. Each pushed component is also passed to a consumer. */
  MeteredCounters(GlobalCounters counters, ExchangeMeter meter, Consumer<Component> pushes) {
    this.counters = counters;
    this.meter = meter;
    this.pushes = pushes;
  }

  long pushCalls() {
    return pushCalls.get();
  }

  /** Answers without the database from now on, so that closing a node is fast. */
  void stop() {
    stopped = true;
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    if (stopped) {
      return CompletableFuture.completedFuture(List.of());
    }
    pushCalls.incrementAndGet();
    components.forEach(pushes);
    return metered(counters.push(components));
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    if (stopped) {
      return CompletableFuture.completedFuture(since);
    }
    List<Component> pending = new ArrayList<>(MERGE_BATCH);
    Runnable merge = () -> {
      pending.forEach(each);
      pending.clear();
    };
    return metered(counters
        .pull(since, nowMillis, component -> {
          pending.add(component);
          if (pending.size() == MERGE_BATCH) {
            measure(merge);
          }
        })
        .whenComplete((next, failure) -> measure(merge)));
  }

  /** Measures the limiter's handling of an answer, which runs when the result completes. */
  private <T> CompletionStage<T> metered(CompletionStage<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    call.whenComplete((value, failure) -> measure(() -> {
      if (failure == null) {
        answer.complete(value);
      } else {
        answer.completeExceptionally(failure);
      }
    }));
    return answer;
  }

  private void measure(Runnable work) {
    long before = Cpu.threadNanos();
    work.run();
    meter.used(Cpu.threadNanos() - before);
  }

  @Override
  public void close() {
    counters.close();
  }
}
