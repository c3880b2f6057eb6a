package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SharedCounter;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The global layer: pushes the counts of this region to the global counters and pulls those of
 * other regions. No decision waits for it. Ticks come from one thread at a time.
 */
public final class GlobalLayer {

  /** How often {@link #tick} has to be called. */
  public static final Duration TICK = GlobalTimings.TICK;

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Most series examined in one tick, which other periodic work waits for: a few milliseconds. */
  static final int MAX_SERIES_PER_TICK = 20_000;

  private final SeriesStore store;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final GuardedGlobalCounters counters;
  private final Pusher pusher;
  private final Puller puller;
  private final RegionNameCheck nameCheck;
  private final long intervalNanos;
  private final Cadence rounds;
  private final Cadence fullPulls;
  private final Cadence fullPullsWhenFull;

  /** What is due in this round, and since when. Used by ticks only, as the next fields. */
  private boolean pullDue;

  private boolean pushDue;
  private long pushDueNanos;

  /** Number of evictions when it was last read. */
  private long evicted;

  /** The series that are still to be queued for the flush; null before it. */
  private @Nullable Iterator<SharedCounter> unflushed;

  private boolean flushing;

  /** Completes with whether all counts were pushed before closing. */
  private final CompletableFuture<Boolean> flushed = new CompletableFuture<>();

  private final Object closeLock = new Object();

  /** No more pulls; pending counts are being pushed. */
  private volatile boolean closing;

  private volatile boolean closed;

  /**
   * The global layer of one node of a region.
   *
   * @param identify stores or reads the identity of a region in its origin, given the region and a
   *     candidate; null without an origin
   */
  public GlobalLayer(
      SeriesStore store,
      GlobalCounters counters,
      @Nullable BiFunction<String, String, CompletionStage<Optional<String>>> identify,
      PushPolicy policy,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.counters = new GuardedGlobalCounters(counters, identify, region, scheduler, observer);
    Regions regions = new Regions(scheduler);
    this.puller = new Puller(store, this.counters, region, regions, clock, scheduler);
    this.pusher = new Pusher(
        store.unpushed(), this.counters, region, policy, regions, puller::seconds, scheduler);
    long now = scheduler.elapsedNanos();
    long seed = node.hashCode();
    this.intervalNanos = policy.interval().toNanos();
    this.rounds = new Cadence(policy.interval(), now, seed);
    this.fullPulls = new Cadence(GlobalTimings.FULL_PULL_INTERVAL, now, seed);
    this.fullPullsWhenFull = new Cadence(GlobalTimings.FULL_PULL_INTERVAL_WHEN_FULL, now, seed);
    this.nameCheck = new RegionNameCheck(
        this.counters,
        region,
        candidate(node),
        identify != null,
        new Cadence(GlobalTimings.NAME_CHECK_INTERVAL, now, seed),
        scheduler,
        observer);
  }

  /** An identity that no other node proposes: a hash of 64 bits, which fits a database column. */
  private static String candidate(String node) {
    long hash = 0xCBF29CE484222325L; // FNV-1a
    for (int i = 0; i < node.length(); i++) {
      hash = (hash ^ node.charAt(i)) * 0x100000001B3L;
    }
    return Long.toUnsignedString(hash, 36);
  }

  /** The periodic work. */
  public synchronized void tick() {
    if (closed) {
      return;
    }
    counters.expire();
    long now = scheduler.elapsedNanos();
    if (closing) {
      flush();
    } else {
      requestFullPullIfDue(now);
      puller.expire();
      continueRound(now);
      puller.detectLoss();
      nameCheck.tick(now);
    }
    pusher.tick(clock.millis());
  }

  private void requestFullPullIfDue(long nowNanos) {
    boolean due = fullPulls.takeDue(nowNanos);
    boolean dueWhenFull = fullPullsWhenFull.takeDue(nowNanos) && hasEvicted();
    if (due || dueWhenFull) {
      puller.requestFullPull();
    }
  }

  /**
   * Pulls, and then pushes: the pull shows what other nodes of the region have just pushed, which
   * need not be pushed again. A slow pull delays a push by one interval at most.
   */
  private void continueRound(long nowNanos) {
    if (rounds.takeDue(nowNanos)) {
      pullDue = true;
      pushDueNanos = pushDue ? pushDueNanos : nowNanos;
      pushDue = true;
    }
    if (pullDue && puller.isIdle()) {
      pullDue = false;
      puller.begin();
    }
    boolean pulled = !pullDue && puller.isIdle();
    if (pushDue && pusher.isIdle() && (pulled || nowNanos - pushDueNanos >= intervalNanos)) {
      pushDue = false;
      pusher.begin();
    }
  }

  /** Whether live series have been evicted since the last call. */
  private boolean hasEvicted() {
    long before = evicted;
    evicted = store.evicted();
    return evicted != before;
  }

  /**
   * Pushes the counts that are worth it, and then all others, whatever the policy says: they may
   * exist on this node only.
   */
  private void flush() {
    if (!pusher.isIdle()) {
      return;
    }
    if (unflushed == null) {
      unflushed = store.sharedCounters();
      pusher.begin();
      return;
    }
    for (int i = 0; i < MAX_SERIES_PER_TICK && unflushed.hasNext(); i++) {
      SharedCounter counter = unflushed.next();
      if (counter.queueForPush()) {
        store.unpushed().add(counter);
      }
    }
    if (unflushed.hasNext()) {
      return;
    }
    if (flushing || pusher.hasFailed()) {
      flushed.complete(!pusher.hasFailed());
    } else {
      flushing = true;
      pusher.flush();
      pusher.begin();
    }
  }

  /** Whether another region was found within the last minute to use the name of this one. */
  public boolean hasNameConflict() {
    return nameCheck.hasConflict();
  }

  /** Number of evicted series whose counts were given up before they were pushed. */
  public long unpushedSeries() {
    return pusher.givenUpSeries();
  }

  /** Milliseconds since the last complete push; -1 if there was none. */
  public long millisSincePush() {
    return millisSince(pusher.doneNanos());
  }

  /** Milliseconds since the last complete pull; -1 if there was none. */
  public long millisSincePull() {
    return millisSince(puller.doneNanos());
  }

  private long millisSince(@Nullable Long nanos) {
    return nanos == null ? -1 : TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos() - nanos);
  }

  /** Flushes pending counts while ticks go on, and closes the global counters. */
  public void close() {
    synchronized (closeLock) { // a second caller returns when the first is done
      if (!closed) {
        flushAndClose();
      }
    }
  }

  private void flushAndClose() {
    closing = true;
    boolean pushed = false;
    try {
      long began = scheduler.elapsedNanos(); // virtual time stands still: waits are counted too
      long waits = GlobalTimings.FLUSH_TIMEOUT.dividedBy(GlobalTimings.FLUSH_STEP);
      while (!flushed.isDone()
          && waits > 0
          && scheduler.elapsedNanos() - began < GlobalTimings.FLUSH_TIMEOUT.toNanos()) {
        tick(); // without waiting for the scheduler, which may be slow
        if (pusher.isWaiting()) {
          waits--;
          awaitStep();
        }
      }
      pushed = flushed.getNow(false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!pushed) {
      LOG.log(
          Level.WARNING,
          "The global counters did not answer before the limiter closed; other regions may miss the last counts, unless another node of this region pushes them");
    }
    closed = true;
    store.unpushed().close();
    counters.close();
  }

  private void awaitStep() throws InterruptedException {
    try {
      flushed.get(GlobalTimings.FLUSH_STEP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return; // the caller checks whether the next chunk can be pushed
    } catch (ExecutionException e) {
      throw new IllegalStateException("a flush never completes exceptionally", e);
    }
  }
}
