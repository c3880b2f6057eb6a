package io.tidegate.testing;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An origin in this process, for tests with several nodes: answers at once, unless it is told to
 * fail, to be slow or to forget.
 *
 * <pre>{@code
 * InMemoryOrigin origin = new InMemoryOrigin();
 * RateLimiter one = RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
 * RateLimiter other = RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
 * one.tryAcquire(request);
 * time.advance(Duration.ofMillis(10)); // and now the other knows
 * }</pre>
 */
public final class InMemoryOrigin implements RegionalOrigin {

  private record Key(String region, WindowCell cell) {}

  private final Map<Key, Map<String, Long>> counts = new HashMap<>();
  private final List<Runnable> unanswered = new ArrayList<>();
  private final List<WindowCell> reads = new ArrayList<>();
  private final List<OwnCount> replays = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private boolean holding;

  /** An origin that knows nothing yet. */
  public InMemoryOrigin() {}

  @Override
  public synchronized CompletionStage<List<RegionalCount>> read(
      Writer writer, List<WindowCell> cells) {
    reads.add(cells.get(0));
    return answer(() -> cells.stream()
        .map(cell -> count(new Key(writer.region(), cell), writer.name()))
        .toList());
  }

  @Override
  public synchronized List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    replays.addAll(counts);
    return counts.stream().map(count -> answer(() -> raise(count))).toList();
  }

  /**
   * Lets every call fail from now on: {@code origin.fail(new IllegalStateException("down"))}.
   *
   * @param with what the calls fail with, or null to let them succeed again
   */
  public synchronized void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** Keeps all calls unanswered, and their effect undone: {@code origin.hold()}. */
  public synchronized void hold() {
    holding = true;
  }

  /** Answers what was kept, and all that follows: {@code origin.release()}. */
  public void release() {
    List<Runnable> answers;
    synchronized (this) {
      holding = false;
      answers = List.copyOf(unanswered);
      unanswered.clear();
    }
    answers.forEach(Runnable::run);
  }

  /** Loses all counts, as a restart without data does: {@code origin.forget()}. */
  public synchronized void forget() {
    counts.clear();
  }

  /**
   * The count of a cell over all writers: {@code origin.total("eu", WindowCell.at(series, now))}.
   *
   * @param region the region
   * @param cell the cell
   * @return the sum
   */
  public synchronized long total(String region, WindowCell cell) {
    return count(new Key(region, cell), "").total();
  }

  /**
   * What has been read: {@code origin.reads().size()}.
   *
   * @return the current cell of each read, in their order
   */
  public synchronized List<WindowCell> reads() {
    return List.copyOf(reads);
  }

  /**
   * What has been replayed: {@code origin.replays().size()}.
   *
   * @return the counts, in their order
   */
  public synchronized List<OwnCount> replays() {
    return List.copyOf(replays);
  }

  /** Empties {@link #reads} and {@link #replays}: {@code origin.forgetCalls()}. */
  public synchronized void forgetCalls() {
    reads.clear();
    replays.clear();
  }

  /** Does nothing: several limiters may share it, and a closed one keeps its counts. */
  @Override
  public void close() {}

  private <T> CompletionStage<T> answer(Supplier<T> answer) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    if (holding) {
      unanswered.add(() -> complete(stage, answer));
    } else {
      complete(stage, answer);
    }
    return stage;
  }

  /** What depends on the answer runs outside of the lock: it may wait for others, who wait here. */
  private <T> void complete(CompletableFuture<T> stage, Supplier<T> answer) {
    RuntimeException failing;
    T value = null;
    synchronized (this) {
      failing = failure;
      if (failing == null) {
        value = answer.get();
      }
    }
    if (failing == null) {
      stage.complete(value);
    } else {
      stage.completeExceptionally(failing);
    }
  }

  private RegionalCount raise(OwnCount own) {
    Key key = new Key(own.writer().region(), own.cell());
    RegionalCount before = count(key, own.writer().name());
    counts
        .computeIfAbsent(key, cell -> new HashMap<>())
        .merge(own.writer().name(), own.count(), Math::max);
    return before;
  }

  private RegionalCount count(Key key, String writer) {
    Map<String, Long> parts = counts.getOrDefault(key, Map.of());
    long total = parts.values().stream().mapToLong(Long::longValue).sum();
    return new RegionalCount(total, parts.getOrDefault(writer, 0L));
  }
}
