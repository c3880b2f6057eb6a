package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.model.WindowCell;
import io.tidegate.report.Percentiles;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;

/** Adds up pushes and pulls of all nodes of a fleet, their latency and CPU time. Thread-safe. */
final class ExchangeMeter implements LimiterObserver {

  private final LongAdder pushedRows = new LongAdder();
  private final LongAdder pulledRows = new LongAdder();
  private final LongAdder newRows = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final Queue<Double> tickCpuMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();

  /**
   * Activity of an interval.
   *
   * @param newRows pulled rows that raised a count
   * @param failures of pushes and pulls
   * @param cpuNanos CPU time of ticks, of handling answers to pushes, and of merging pulled rows
   * @param tickCpuMillis CPU time of ticks that pushed something
   */
  record Reading(
      long pushedRows,
      long pulledRows,
      long newRows,
      long failures,
      long cpuNanos,
      Percentiles tickCpuMillis,
      Percentiles pushMillis,
      Percentiles pullMillis) {}

  /** Returns the activity since the last call. */
  Reading take() {
    return new Reading(
        pushedRows.sumThenReset(),
        pulledRows.sumThenReset(),
        newRows.sumThenReset(),
        failures.sumThenReset(),
        cpuNanos.sumThenReset(),
        take(tickCpuMillis),
        take(pushMillis),
        take(pullMillis));
  }

  private static Percentiles take(Queue<Double> samples) {
    List<Double> taken = new ArrayList<>();
    for (Double sample; (sample = samples.poll()) != null; ) {
      taken.add(sample);
    }
    return Percentiles.of(taken);
  }

  private long measure(Runnable work) {
    long before = Cpu.threadNanos();
    work.run();
    long nanos = Cpu.threadNanos() - before;
    cpuNanos.add(nanos);
    return nanos;
  }

  @Override
  public void pushed(int rows, long nanos) {
    pushedRows.add(rows);
    pushMillis.add(nanos / 1e6);
  }

  @Override
  public void pushFailed(CallFailure failure) {
    failures.increment();
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    pulledRows.add(rows);
    newRows.add(applied);
    pullMillis.add(nanos / 1e6);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failures.increment();
  }

  /**
   * Global counters of one node that measure the CPU time of the limiter when it handles answers,
   * without the database driver.
   *
   * <p>Pulled rows are merged a thousand at a time, because reading the CPU time costs about as
   * much as merging a row.
   */
  final class Counters implements GlobalCounters {

    private static final int MERGE_BATCH = 1_000;

    private final GlobalCounters counters;
    private final Consumer<Component> pushes;
    private volatile boolean stopped;

    /** Whether a tick has pushed. Used by the thread of the node only, which pushes in ticks. */
    private boolean pushing;

    /** Wraps counters. Each pushed component is also passed to a consumer. */
    Counters(GlobalCounters counters, Consumer<Component> pushes) {
      this.counters = counters;
      this.pushes = pushes;
    }

    /** Runs a tick of the global layer and measures its CPU time. */
    void measureTick(Runnable tick) {
      pushing = false;
      long nanos = measure(tick);
      if (pushing) {
        tickCpuMillis.add(nanos / 1e6);
      }
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
      pushing = true;
      components.forEach(pushes);
      return metered(counters.push(components));
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      return stopped
          ? CompletableFuture.completedFuture(since)
          : merged(each, batches -> counters.pull(region, since, nowMillis, batches));
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return stopped
          ? CompletableFuture.allOf()
          : merged(each, batches -> counters.pullOwn(region, nowMillis, batches));
    }

    @Override
    public CompletionStage<List<Component>> components(WindowCell cell) {
      return counters.components(cell);
    }

    private <T> CompletionStage<T> merged(
        Consumer<Component> each, Function<Consumer<Component>, CompletionStage<T>> pull) {
      List<Component> pending = new ArrayList<>(MERGE_BATCH);
      Runnable merge = () -> {
        pending.forEach(each);
        pending.clear();
      };
      return metered(pull.apply(component -> {
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

    @Override
    public void close() {
      counters.close();
    }
  }
}
