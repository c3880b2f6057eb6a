package io.tidegate.global;

import io.tidegate.local.EvictedBound;
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
 * This node's exchange of counts with other regions: pushes what its region has counted, pulls what
 * the others have. No decision waits for it.
 */
public final class GlobalLayer {

  /** How often {@link #tick} has to be called. */
  public static final Duration TICK = Tuning.TICK;

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** How often closing looks whether the next chunk can be pushed. */
  private static final long GOODBYE_STEP_MILLIS = 2;

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

  /** What is due in this round, and since when. Used by ticks alone, as what follows. */
  private boolean pullDue;

  private boolean pushDue;
  private long pushDueNanos;

  /** How many series had been evicted when somebody last looked. */
  private long evicted;

  /** All series, when closing. */
  private @Nullable Iterator<SharedCounter> last;

  private boolean saidGoodbye;

  /** Whether all was pushed in the end. */
  private final CompletableFuture<Boolean> goodbye = new CompletableFuture<>();

  private final Object closing = new Object();
  private volatile boolean closed;
  private volatile boolean gone;

  /**
   * Joins the exchange, as one of the nodes of a region.
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
        new EvictedBound(store, store.maxSeries() / 4), // most are in the origin as well
        this.counters,
        region,
        policy,
        regions,
        puller::seconds,
        scheduler);
    long now = scheduler.elapsedNanos();
    long seed = node.hashCode();
    this.intervalNanos = policy.interval().toNanos();
    this.rounds = new Cadence(policy.interval(), now, seed);
    this.fullPulls = new Cadence(Tuning.FULL_PULL_INTERVAL, now, seed);
    this.fullPullsWhenFull = new Cadence(Tuning.FULL_PULL_INTERVAL_WHEN_FULL, now, seed);
    this.nameCheck = new RegionNameCheck(
        this.counters,
        region,
        candidate(node),
        identify != null,
        new Cadence(Tuning.NAME_CHECK_INTERVAL, now, seed),
        scheduler,
        observer);
  }

  /** An identity that no other node proposes, short enough for a column: a hash of 64 bits. */
  private static String candidate(String node) {
    long hash = 0xCBF29CE484222325L; // FNV-1a
    for (int i = 0; i < node.length(); i++) {
      hash = (hash ^ node.charAt(i)) * 0x100000001B3L;
    }
    return Long.toUnsignedString(hash, 36);
  }

  /** Will see whether a series that has changed should be pushed. */
  public void push(SharedCounter counter) {
    if (!gone) { // or nobody would ever take it from the queue
      pusher.add(counter);
    }
  }

  /** The work of every {@link #TICK}. */
  public synchronized void tick() {
    if (gone) {
      return;
    }
    counters.expire();
    long now = scheduler.elapsedNanos();
    if (closed) {
      sayGoodbye();
    } else {
      if (fullPulls.takeDue(now) | (fullPullsWhenFull.takeDue(now) && hasEvicted())) {
        puller.wantEverything();
      }
      puller.expire();
      goOn(now);
      puller.check();
      nameCheck.tick(now);
    }
    pusher.tick(clock.millis());
  }

  /**
   * Pulls, and then pushes: by then it is known what other nodes of the region have pushed a moment
   * ago, and need not be pushed again. But a pull that takes long holds up no push.
   */
  private void goOn(long nowNanos) {
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

  /** Whether live series have been evicted since the last time that this was asked. */
  private boolean hasEvicted() {
    long before = evicted;
    evicted = store.evicted();
    return evicted != before;
  }

  /**
   * Pushes what is worth it, and then everything, whatever the policy says: if nobody else knows
   * it, it is gone with us.
   */
  private void sayGoodbye() {
    if (!pusher.isIdle()) {
      return;
    }
    if (last == null) {
      last = store.sharedCounters();
      pusher.begin();
      return;
    }
    for (int i = 0; i < Tuning.MOST_LOOKED_AT && last.hasNext(); i++) {
      SharedCounter counter = last.next();
      if (counter.queueForPush()) {
        pusher.add(counter);
      }
    }
    if (!last.hasNext()) {
      if (saidGoodbye || pusher.hasFailed()) {
        goodbye.complete(!pusher.hasFailed());
      } else {
        saidGoodbye = true;
        pusher.leave();
        pusher.begin();
      }
    }
  }

  /** Whether another region was found lately to use the name of this one. */
  public boolean hasNameConflict() {
    return nameCheck.hasConflict();
  }

  /** How many evicted series other regions will not hear of. */
  public long unpushedSeries() {
    return pusher.givenUpSeries();
  }

  /** How long ago a round of pushing left nothing behind that was worth it; -1 if none has. */
  public long millisSincePush() {
    return millisSince(pusher.doneNanos());
  }

  /** How long ago a pull succeeded; -1 if none has. */
  public long millisSincePull() {
    return millisSince(puller.doneNanos());
  }

  private long millisSince(@Nullable Long nanos) {
    return nanos == null ? -1 : TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos() - nanos);
  }

  /** Pushes what is left, while ticks go on; gives up after a while, and says so. */
  public void close() {
    synchronized (closing) { // whoever closes as well returns when it is done
      if (!gone) {
        end();
      }
    }
  }

  private void end() {
    closed = true;
    boolean pushed = false;
    try {
      long began = scheduler.elapsedNanos(); // which stands still if it is virtual
      long waits = Tuning.LONGEST_GOODBYE.toMillis() / GOODBYE_STEP_MILLIS;
      while (!goodbye.isDone()
          && waits > 0
          && scheduler.elapsedNanos() - began < Tuning.LONGEST_GOODBYE.toNanos()) {
        tick(); // and does not wait for the scheduler, which may be slow
        if (pusher.isWaiting()) {
          waits--;
          await(goodbye);
        }
      }
      pushed = goodbye.getNow(false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!pushed) {
      LOG.log(
          Level.WARNING,
          "Closed while the global counters did not answer in time: what was counted last may be unknown to other regions, unless another node of this one pushes it");
    }
    gone = true;
    counters.close();
  }

  private static void await(CompletableFuture<Boolean> goodbye) throws InterruptedException {
    try {
      goodbye.get(GOODBYE_STEP_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return; // to see whether the next chunk can go
    } catch (ExecutionException e) {
      throw new IllegalStateException("nothing fails here", e);
    }
  }
}
