package io.tidegate.testing;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Global counters in this process, for tests with several regions: answer at once, unless they are
 * told to fail or to be slow.
 *
 * <pre>{@code
 * InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
 * RateLimiter eu = RateLimiter.builder().clock(time).scheduler(time).region("eu").globalCounters(counters).build();
 * RateLimiter us = RateLimiter.builder().clock(time).scheduler(time).region("us").globalCounters(counters).build();
 * eu.tryAcquire(request);
 * time.advance(Duration.ofSeconds(3)); // and now the other knows, if it was worth telling
 * }</pre>
 */
public final class InMemoryGlobalCounters implements GlobalCounters {

  private record Key(String region, WindowCell cell) {}

  /** A count, and the change that made it. */
  private record Count(long count, long change) {}

  private final Map<Key, Count> counts = new LinkedHashMap<>();
  private final List<Runnable> unanswered = new ArrayList<>();
  private final List<Component> pushes = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private int rowsBeforeFailure;
  private boolean holding;
  private long changes;

  /** Counters that know nothing yet. */
  public InMemoryGlobalCounters() {}

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    CompletableFuture<List<Component>> stage = new CompletableFuture<>();
    answer(() -> {
      RuntimeException failing;
      synchronized (this) {
        failing = failure;
        if (failing == null) {
          components.forEach(this::raise);
        }
      }
      complete(stage, List.of(), failing);
    });
    return stage;
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    CompletableFuture<Long> stage = new CompletableFuture<>();
    answer(() -> {
      List<Component> changed = new ArrayList<>();
      RuntimeException failing;
      long next;
      synchronized (this) {
        next = changes + 1;
        failing = failure;
        counts.forEach((key, count) -> {
          if (count.change >= since && key.cell.expiresAtMillis() > nowMillis) {
            changed.add(new Component(key.region, key.cell, count.count));
          }
        });
      }
      changed.stream()
          .limit(failing == null ? changed.size() : rowsBeforeFailure)
          .forEach(each);
      complete(stage, next, failing);
    });
    return stage;
  }

  /**
   * Lets every call fail from now on: {@code counters.fail(new IllegalStateException("down"))}.
   *
   * @param with what the calls fail with, or null to let them succeed again
   */
  public void fail(@Nullable RuntimeException with) {
    failPullsAfter(0, with);
  }

  /**
   * The same, but pulls bring some components first: {@code counters.failPullsAfter(3, lost)}.
   *
   * @param rows how many components
   * @param with what the calls fail with, or null to let them succeed again
   */
  public synchronized void failPullsAfter(int rows, @Nullable RuntimeException with) {
    rowsBeforeFailure = rows;
    failure = with;
  }

  /** Keeps all calls unanswered, and their effect undone: {@code counters.hold()}. */
  public synchronized void hold() {
    holding = true;
  }

  /** Answers what was kept, and all that follows: {@code counters.release()}. */
  public void release() {
    List<Runnable> answers;
    synchronized (this) {
      holding = false;
      answers = List.copyOf(unanswered);
      unanswered.clear();
    }
    answers.forEach(Runnable::run);
  }

  /** Loses all counts, as a failover to an empty server does: {@code counters.forget()}. */
  public synchronized void forget() {
    counts.clear();
  }

  /**
   * What a region has pushed of a cell: {@code counters.count("eu", WindowCell.at(series, now))}.
   *
   * @param region the region
   * @param cell the cell
   * @return the count, 0 if it pushed none
   */
  public synchronized long count(String region, WindowCell cell) {
    Count count = counts.get(new Key(region, cell));
    return count == null ? 0 : count.count;
  }

  /**
   * What has been pushed: {@code counters.pushes().size()}.
   *
   * @return the components, in their order
   */
  public synchronized List<Component> pushes() {
    return List.copyOf(pushes);
  }

  /** Does nothing: several limiters may share them, and a closed one leaves its counts. */
  @Override
  public void close() {}

  private void answer(Runnable answer) {
    synchronized (this) {
      if (holding) {
        unanswered.add(answer);
        return;
      }
    }
    answer.run(); // outside of the lock: what depends on it may wait for others, who wait here
  }

  private static <T> void complete(
      CompletableFuture<T> stage, T value, @Nullable RuntimeException failing) {
    if (failing == null) {
      stage.complete(value);
    } else {
      stage.completeExceptionally(failing);
    }
  }

  private void raise(Component component) {
    pushes.add(component);
    Key key = new Key(component.region(), component.cell());
    Count known = counts.get(key);
    if (known == null || component.count() > known.count) {
      counts.put(key, new Count(component.count(), ++changes));
    }
  }
}
