package io.tidegate.testing;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  /** How often each identity of a region was announced. */
  private final Map<String, Map<String, Long>> announcements = new HashMap<>();

  private final List<Component> pushes = new ArrayList<>();
  private final Answers answers = new Answers();
  private volatile int rowsBeforeFailure;
  private long changes;

  /** Counters that know nothing yet. */
  public InMemoryGlobalCounters() {}

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    return answers.answer(() -> raise(components), () -> {});
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    return answers.answer(
        () -> {
          long next = nextChange();
          changed(since, nowMillis).forEach(each);
          return next;
        },
        () -> changed(since, nowMillis).stream().limit(rowsBeforeFailure).forEach(each));
  }

  @Override
  public CompletionStage<Long> announce(String region, String identity) {
    return answers.answer(() -> announced(region, identity), () -> {});
  }

  private synchronized long announced(String region, String identity) {
    Map<String, Long> known = announcements.computeIfAbsent(region, name -> new HashMap<>());
    known.merge(identity, 1L, Long::sum);
    return known.values().stream().mapToLong(Long::longValue).sum() - known.get(identity);
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
  public void failPullsAfter(int rows, @Nullable RuntimeException with) {
    rowsBeforeFailure = rows;
    answers.fail(with);
  }

  /** Keeps all calls unanswered, and their effect undone: {@code counters.hold()}. */
  public void hold() {
    answers.hold();
  }

  /** Answers what was kept, and all that follows: {@code counters.release()}. */
  public void release() {
    answers.release();
  }

  /** Loses all counts, as a failover to an empty server does: {@code counters.forget()}. */
  public synchronized void forget() {
    counts.clear();
    announcements.clear();
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

  private synchronized List<Component> changed(long since, long nowMillis) {
    List<Component> changed = new ArrayList<>();
    counts.forEach((key, count) -> {
      if (count.change >= since && key.cell.expiresAtMillis() > nowMillis) {
        changed.add(new Component(key.region, key.cell, count.count));
      }
    });
    return changed;
  }

  private synchronized long nextChange() {
    return changes + 1;
  }

  private synchronized List<Component> raise(List<Component> components) {
    pushes.addAll(components);
    for (Component component : components) {
      Key key = new Key(component.region(), component.cell());
      Count known = counts.get(key);
      if (known == null || component.count() > known.count) {
        counts.put(key, new Count(component.count(), ++changes));
      }
    }
    return List.of();
  }
}
