package io.tidegate.benchmarks;

import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.GlobalFigures.Tick;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What pushing and pulling takes of one node with many active cells, of which a few have changed,
 * while a database that takes no time at all answers.
 */
final class GlobalTicks {

  /** In per mille of the active cells. All of them first: by then the code is compiled. */
  static final List<Integer> CHANGED = List.of(1000, 100, 10, 1, 0);

  private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(30));
  private static final long LIMIT = 1_000_000;
  private static final int WARMUPS = 3;

  /**
   * So short that all is over before everything is pulled once more: the database keeps nothing,
   * and would look as if it had lost all.
   */
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final GlobalSettings settings;
  private final ByHand byHand = new ByHand();
  private final String[] identifiers;
  private List<Component> news = List.of();

  GlobalTicks(GlobalSettings settings) {
    this.settings = settings;
    this.identifiers = new String[settings.cells()];
    for (int i = 0; i < identifiers.length; i++) {
      identifiers[i] = Identifiers.identifier(i);
    }
  }

  List<Tick> measure() {
    List<Tick> ticks = new ArrayList<>();
    int time = 0;
    // All that has changed is worth pushing: the most that a policy can ask for.
    try (RateLimiter limiter = RateLimiter.builder()
        .region("region-0")
        .globalCounters(new NoDatabase())
        .pushPolicy(PushPolicy.floor(0, INTERVAL))
        .scheduler(byHand)
        .build()) {
      Gate gate = limiter.gate(SCOPE);
      take(gate, 1000, time);
      round(limiter);
      for (int perMille : CHANGED) {
        for (int i = -WARMUPS; i < settings.ticks(); i++) {
          take(gate, perMille, ++time);
          double pushMillis = round(limiter);
          news = news(perMille, time);
          double pullMillis = round(limiter);
          news = List.of();
          if (i >= 0) {
            ticks.add(new Tick(settings.cells(), perMille, pushMillis, pullMillis));
          }
        }
      }
    }
    return ticks;
  }

  private void take(Gate gate, int perMille, int time) {
    for (int i : changed(perMille, time)) {
      gate.take(identifiers[i], LIMIT, 1);
    }
  }

  /** Spread over all of them, and others each time: what the caches hold is of no use. */
  private int[] changed(int perMille, int time) {
    int count = (int) ((long) identifiers.length * perMille / 1000);
    int[] changed = new int[count];
    for (int i = 0; i < count; i++) {
      changed[i] = (int) (((long) i * identifiers.length / count + time) % identifiers.length);
    }
    return changed;
  }

  private List<Component> news(int perMille, int time) {
    long now = System.currentTimeMillis();
    List<Component> news = new ArrayList<>();
    for (int i : changed(perMille, time)) {
      Series series = new Series(SCOPE, identifiers[i]);
      news.add(new Component("region-1", WindowCell.at(series, now), time));
    }
    return news;
  }

  /** Lets an interval pass, and the node tick until it has nothing more to push. */
  private double round(RateLimiter limiter) {
    byHand.elapsedNanos += INTERVAL.toNanos() * 3 / 2; // which may be late by a fifth
    long before = Cpu.threadNanos();
    do {
      byHand.tick.run();
    } while (limiter.stats().millisSincePush() != 0);
    return (Cpu.threadNanos() - before) / 1e6;
  }

  /** Runs the exchange when it is told to, and nothing else. */
  private static final class ByHand implements Scheduler {

    private Runnable tick = () -> {};
    private long elapsedNanos;

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

  /** Answers at once, and keeps nothing. */
  private final class NoDatabase implements GlobalCounters {

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
      news.forEach(each);
      return CompletableFuture.completedFuture(since + 1);
    }

    @Override
    public void close() {}
  }
}
