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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * In-memory global counters for tests with several regions. They answer immediately, unless
 * {@link #fail} or {@link #hold} is called. Thread-safe.
 *
 * <pre>{@code
 * InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
 * RateLimiter eu = RateLimiter.builder().clock(time).scheduler(time).region("eu").globalCounters(counters).build();
 * RateLimiter us = RateLimiter.builder().clock(time).scheduler(time).region("us").globalCounters(counters).build();
 * eu.tryAcquire(request);
 * time.advance(Duration.ofSeconds(3)); // us has imported the count, if the policy pushed it
 * }</pre>
 */
public final class InMemoryGlobalCounters implements GlobalCounters {

  private record Key(String region, WindowCell cell) {}

  /** A count, and the number of the change that set it. */
  private record Count(long count, long change) {}

  private final Map<Key, Count> counts = new LinkedHashMap<>();

  /** Number of announcements by region and identity. */
  private final Map<String, Map<String, Long>> announcements = new HashMap<>();

  private final List<Component> pushes = new ArrayList<>();
  private final Answers answers = new Answers();
  private volatile int rowsBeforeFailure;
  private long changes;

  /** Creates empty counters. */
  public InMemoryGlobalCounters() {}

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    return answers.answer(() -> raise(components), () -> {});
  }

  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    return pull(since, nowMillis, name -> !name.equals(region), each);
  }

  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    return pull(EVERYTHING, nowMillis, region::equals, each).thenAccept(mark -> {});
  }

  private CompletionStage<Long> pull(
      long since, long nowMillis, Predicate<String> regions, Consumer<Component> each) {
    return answers.answer(
        () -> {
          long next = nextChange();
          changed(since, nowMillis, regions).forEach(each);
          return next;
        },
        () ->
            changed(since, nowMillis, regions).stream().limit(rowsBeforeFailure).forEach(each));
  }

  @Override
  public CompletionStage<Long> announce(String region, String identity) {
    return answers.answer(() -> announced(region, identity), () -> {});
  }

  @Override
  public CompletionStage<List<Component>> components(WindowCell cell) {
    return answers.answer(() -> held(cell), () -> {});
  }

  private synchronized List<Component> held(WindowCell cell) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().cell.equals(cell))
        .map(entry -> new Component(entry.getKey().region, cell, entry.getValue().count))
        .toList();
  }

  private synchronized long announced(String region, String identity) {
    Map<String, Long> known = announcements.computeIfAbsent(region, name -> new HashMap<>());
    long own = known.merge(identity, 1L, Long::sum);
    return known.values().stream().mapToLong(Long::longValue).sum() - own;
  }

  /**
   * Makes every call fail from now on: {@code counters.fail(new IllegalStateException("down"))}.
   *
   * @param with the failure, or null to let calls succeed again
   */
  public void fail(@Nullable RuntimeException with) {
    failPullsAfter(0, with);
  }

  /**
   * Makes every call fail from now on, pulls only after some components:
   * {@code counters.failPullsAfter(3, lost)}.
   *
   * @param rows the number of components before a pull fails
   * @param with the failure, or null to let calls succeed again
   */
  public void failPullsAfter(int rows, @Nullable RuntimeException with) {
    rowsBeforeFailure = rows;
    answers.fail(with);
  }

  /** Delays all calls from now on, and their effect: {@code counters.hold()}. */
  public void hold() {
    answers.hold();
  }

  /** Performs and answers delayed calls, and stops delaying: {@code counters.release()}. */
  public void release() {
    answers.release();
  }

  /** Loses all counts, as a failover to an empty server does: {@code counters.loseCounts()}. */
  public synchronized void loseCounts() {
    counts.clear();
    announcements.clear();
  }

  /**
   * Returns the count that a region has pushed: {@code counters.count("eu", WindowCell.at(series,
   * now))}.
   *
   * @param region the region
   * @param cell the cell
   * @return the count; 0 if there is none
   */
  public synchronized long count(String region, WindowCell cell) {
    Count count = counts.get(new Key(region, cell));
    return count == null ? 0 : count.count;
  }

  /**
   * Returns all pushed components: {@code counters.pushes().size()}.
   *
   * @return the components, in the order of the pushes
   */
  public synchronized List<Component> pushes() {
    return List.copyOf(pushes);
  }

  /** Does nothing: several limiters may share the counters. */
  @Override
  public void close() {}

  private synchronized List<Component> changed(
      long since, long nowMillis, Predicate<String> regions) {
    List<Component> changed = new ArrayList<>();
    counts.forEach((key, count) -> {
      if (regions.test(key.region)
          && count.change >= since
          && key.cell.expiresAtMillis() > nowMillis) {
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
