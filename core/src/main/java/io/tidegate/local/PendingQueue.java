package io.tidegate.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The series with counts that one store has still to receive. A counter adds itself when a count
 * grows, and not again before it was taken out: its own flag says whether it is a member.
 *
 * <p>The number of evicted series is bounded. In an outage, a flood of new identifiers evicts ever
 * more series whose counts the store should still receive; without a bound they would fill the
 * memory.
 *
 * <p>Any thread may add. All other methods are called by one thread at a time.
 */
public final class PendingQueue<T extends Queueable> {

  /** Least bound, however small {@code maxSeries} is. */
  private static final int MIN_EVICTED = 1_000;

  private final Queue<T> queue;
  private final AtomicLong size = new AtomicLong();
  private final long maxEvicted;
  private final LongSupplier evictions;
  private volatile boolean closed;

  /** Evicted members when they were last counted, and evictions of the store by then. */
  private long countedMembers;

  private long countedEvictions;

  /**
   * An empty queue.
   *
   * @param maxEvicted most evicted series to keep
   * @param evictions how many series the store has evicted so far
   */
  PendingQueue(int maxEvicted, LongSupplier evictions) {
    this(new ConcurrentLinkedQueue<>(), maxEvicted, evictions);
  }

  PendingQueue(Queue<T> queue, int maxEvicted, LongSupplier evictions) {
    this.queue = queue;
    this.maxEvicted = Math.max(maxEvicted, MIN_EVICTED);
    this.evictions = evictions;
  }

  /** Adds a series that is marked as a member. */
  public void add(T pending) {
    if (closed) {
      return;
    }
    size.incrementAndGet(); // before it can be taken, so that the size is never too small
    try {
      queue.add(pending);
    } catch (RuntimeException | Error e) { // out of memory, for one
      size.decrementAndGet();
      throw e;
    }
  }

  /** Takes out the series that was added first. It counts until {@link #done} is called for it. */
  public @Nullable T poll() {
    return queue.poll();
  }

  /** A series that was taken out needs no further work. May be called by any thread. */
  public void done() {
    size.decrementAndGet();
  }

  /** Number of series that were added and are not done. May be called by any thread. */
  public long size() {
    return size.get();
  }

  /** Drops all members, and accepts no others: no thread will take them out any more. */
  public void close() {
    closed = true;
    queue.clear();
  }

  /** Drops evicted members of this queue if there are too many. */
  public void dropExcess(Consumer<? super T> dropped) {
    dropExcess(queue::stream, queue::removeIf, dropped);
  }

  /**
   * Drops evicted series if there are too many, down to half of the bound: each time takes a walk
   * over all.
   *
   * @param waiting the series that were taken out of this queue and wait elsewhere
   * @param removeIf removes from them
   * @param dropped is called for each one that was dropped
   */
  public void dropExcess(
      Supplier<Stream<T>> waiting, Consumer<Predicate<T>> removeIf, Consumer<? super T> dropped) {
    AtomicLong excess = new AtomicLong(excess(waiting));
    if (excess.get() > 0) {
      removeIf.accept(pending -> {
        boolean drop = pending.isRemoved() && excess.decrementAndGet() >= 0;
        if (drop) {
          done();
          dropped.accept(pending);
        }
        return drop;
      });
    }
  }

  private long excess(Supplier<Stream<T>> waiting) {
    long evicted = evictions.getAsLong();
    if (Math.min(size(), countedMembers + evicted - countedEvictions) <= maxEvicted) {
      return 0;
    }
    countedEvictions = evicted;
    long found = waiting.get().filter(Queueable::isRemoved).count();
    countedMembers = found > maxEvicted ? maxEvicted / 2 : found;
    return found - countedMembers;
  }
}
