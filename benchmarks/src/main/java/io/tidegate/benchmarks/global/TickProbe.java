package io.tidegate.benchmarks.global;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.global.GlobalLayer;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures the CPU time of pushes and pulls of one node with many active cells, some of which have
 * changed. The database is a stub that answers at once.
 */
final class TickProbe {

  /** Changed cells per mille of the active ones. All come first, to compile the code. */
  static final List<Integer> CHANGED = List.of(1000, 100, 10, 1, 0);

  private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(30));
  private static final long LIMIT = 1_000_000;
  private static final int WARMUPS = 3;

  /** Short enough for the run to end before a full pull, which would find all rows lost. */
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final int ticks;
  private final String[] identifiers;
  private List<Component> changedElsewhere = List.of();
  private Runnable tick = () -> {};
  private long elapsedNanos;

  TickProbe(int cells, int ticks) {
    this.ticks = ticks;
    this.identifiers =
        IntStream.range(0, cells).mapToObj(Identifiers::identifier).toArray(String[]::new);
  }

  /** Returns ticks with fewer changed cells first. */
  List<Tick> measure() {
    List<Tick> measured = new ArrayList<>();
    int time = 0;
    // Pushes every changed cell: the most that a policy can push.
    try (RateLimiter limiter = RateLimiter.builder()
        .region("region-0")
        .globalCounters(new StubDatabase())
        .pushPolicy(PushPolicy.floor(0, INTERVAL))
        .scheduler(new ManualScheduler())
        .build()) {
      Gate gate = limiter.gate(SCOPE);
      take(gate, 1000, time);
      round(limiter);
      for (int perMille : CHANGED) {
        for (int i = -WARMUPS; i < ticks; i++) {
          take(gate, perMille, ++time);
          double pushMillis = round(limiter);
          changedElsewhere = components(perMille, time);
          double pullMillis = round(limiter);
          changedElsewhere = List.of();
          if (i >= 0) {
            measured.add(new Tick(identifiers.length, perMille, pushMillis, pullMillis));
          }
        }
      }
    }
    Collections.reverse(measured);
    return measured;
  }

  private void take(Gate gate, int perMille, int time) {
    changed(perMille, time).forEach(i -> gate.take(identifiers[i], LIMIT, 1));
  }

  /** Indexes of changed cells, spread evenly and different each time: caches do not help. */
  private IntStream changed(int perMille, int time) {
    long cells = identifiers.length;
    long count = cells * perMille / 1000;
    return IntStream.range(0, (int) count).map(i -> (int) ((i * cells / count + time) % cells));
  }

  private List<Component> components(int perMille, int time) {
    long now = System.currentTimeMillis();
    return changed(perMille, time)
        .mapToObj(i -> WindowCell.at(new Series(SCOPE, identifiers[i]), now))
        .map(cell -> new Component("region-1", cell, time))
        .toList();
  }

  /** Advances time by an interval, and ticks until the node has nothing to push. */
  private double round(RateLimiter limiter) {
    // More than the interval, which the limiter varies by a fifth.
    elapsedNanos += INTERVAL.toNanos() * 3 / 2;
    long before = Cpu.threadNanos();
    do {
      tick.run();
    } while (limiter.stats().millisSincePush() != 0);
    return (Cpu.threadNanos() - before) / 1e6;
  }

  /** Keeps the tick of the global layer for the probe to run, and ignores all other tasks. */
  private final class ManualScheduler implements Scheduler {

    @Override
    public Task every(Duration interval, Runnable work) {
      if (interval.equals(GlobalLayer.TICK)) {
        tick = work;
      }
      return () -> {};
    }

    @Override
    public long elapsedNanos() {
      return elapsedNanos;
    }
  }

  /** Answers at once and stores nothing. */
  private final class StubDatabase implements GlobalCounters {

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      changedElsewhere.forEach(each);
      return CompletableFuture.completedFuture(since + 1);
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      return CompletableFuture.allOf();
    }

    @Override
    public void close() {}
  }
}
