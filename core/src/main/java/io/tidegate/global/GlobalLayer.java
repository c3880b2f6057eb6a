package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SharedCounter;
import io.tidegate.local.Unpushed;
import io.tidegate.model.WindowCell;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The global layer: pushes the counts of this region to the global counters and pulls those of
 * other regions, for this node or for all nodes of its region. No decision waits for it. Ticks come
 * from one thread at a time.
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
  private final PushCheck pushCheck;
  private final RegionNameCheck nameCheck;
  private final long intervalNanos;
  private final Cadence rounds;
  private final Cadence fullPulls;
  private final Cadence repairs;

  /** Null without an origin. */
  private final @Nullable RegionalLayer regional;

  /** What is due in this round, and since when. Used by ticks only, as the next fields. */
  private boolean pullDue;

  private boolean pushDue;
  private long pushDueNanos;

  /** Whether the last call that was begun is a pull, and not a check. */
  private boolean pulledLast;

  /** For whom this node pulled in the last tick. */
  private Reading lastReading = Reading.NONE;

  /** Whether this node is the reader, and the origin may lack imports. */
  private boolean importsMissing;

  /** When it last pulled everything because of that; null if it never has. */
  private @Nullable Long startedOverNanos;

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
   * @param regional the origin of the region, through which its nodes share imports; null if there
   *     is none
   */
  public GlobalLayer(
      SeriesStore store,
      GlobalCounters counters,
      @Nullable RegionalLayer regional,
      PushPolicy policy,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.counters = new GuardedGlobalCounters(
        counters, regional == null ? null : regional::identify, region, scheduler, observer);
    this.regional = regional;
    Supplier<OriginImports> originImports = () -> new OriginImports(this::storeInOrigin);
    this.puller = new Puller(store, this.counters, originImports, clock, scheduler);
    this.pushCheck = new PushCheck(store, this.counters, originImports, clock, scheduler);
    this.pusher = new Pusher(
        store.unpushed(),
        this.counters,
        region,
        policy,
        pushCheck::seconds,
        this::refreshBeforePush,
        this::storePushed,
        scheduler);
    long now = scheduler.elapsedNanos();
    long seed = node.hashCode();
    this.intervalNanos = policy.interval().toNanos();
    this.rounds = new Cadence(policy.interval(), now, seed);
    this.fullPulls = new Cadence(GlobalTimings.FULL_PULL_INTERVAL, now, seed);
    this.repairs = new Cadence(GlobalTimings.REPAIR_INTERVAL, now, seed);
    this.nameCheck = new RegionNameCheck(
        this.counters,
        region,
        candidate(node),
        regional != null,
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
      requestPullsIfDue(now);
      continueRound(now);
      pushCheck.detectLoss();
      announceWhetherItCanRead(now);
      nameCheck.tick(now);
    }
    pusher.tick(clock.millis());
  }

  private void requestPullsIfDue(long nowNanos) {
    Reading now = reading();
    boolean begins = now != lastReading && now != Reading.NONE;
    lastReading = now;
    boolean startsOver = takeImportsMissing(nowNanos);
    if (startsOver) {
      puller.startOver();
    }
    boolean everythingDue = fullPulls.takeDue(nowNanos);
    boolean repairDue = repairs.takeDue(nowNanos);
    if (everythingDue || (repairDue && isMissingCounts())) {
      puller.requestFullPull();
    }
    // While the origin is silent, the other nodes of the region are known by their pushes only.
    boolean originSilent = regional != null && now == Reading.NODE;
    if (everythingDue || begins || startsOver || (repairDue && originSilent)) {
      pushCheck.request();
    }
  }

  /**
   * Whether this node is the reader and the origin may lack imports. A registration that is lost
   * now and then must not lead to one full pull after another.
   */
  private boolean takeImportsMissing(long nowNanos) {
    importsMissing = importsMissing || (regional != null && regional.takeImportsMissing());
    boolean justStarted = startedOverNanos != null
        && nowNanos - startedOverNanos < GlobalTimings.REPAIR_INTERVAL.toNanos();
    if (!importsMissing || justStarted) {
      return false;
    }
    importsMissing = false;
    startedOverNanos = nowNanos;
    return true;
  }

  /** Whether counts were lost since the last call that only a full pull brings. */
  private boolean isMissingCounts() {
    boolean evictedSome = hasEvicted() && reading() == Reading.NODE;
    return evictedSome || puller.isIncomplete();
  }

  private Reading reading() {
    if (regional == null || regional.isSilent()) {
      return Reading.NODE;
    }
    return regional.isReader() ? Reading.REGION : Reading.NONE;
  }

  private void announceWhetherItCanRead(long nowNanos) {
    if (regional != null) {
      regional.setCanRead(puller.canRead(nowNanos));
    }
  }

  private boolean refreshBeforePush(Unpushed series) {
    return regional != null
        && series instanceof SharedCounter counter
        && regional.refreshBeforePush(counter);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // if it fails, other nodes push the same again
  private void storePushed(List<Component> components) {
    storeInOrigin(components);
  }

  /** Stores counts in the origin, and completes with the number of those that were stored. */
  private CompletableFuture<Integer> storeInOrigin(List<Component> components) {
    return regional == null ? CompletableFuture.completedFuture(0) : regional.store(components);
  }

  /**
   * Pulls, and then pushes: a node that pulls for itself judges its counts by those of other
   * regions. A slow pull delays a push by one interval at most.
   */
  private void continueRound(long nowNanos) {
    if (rounds.takeDue(nowNanos)) {
      pullDue = true;
      pushDueNanos = pushDue ? pushDueNanos : nowNanos;
      pushDue = true;
    }
    beginCheckIfDue(nowNanos);
    if (pullDue && isPullIdle()) {
      pullDue = false;
      pulledLast = true;
      puller.begin(reading());
    }
    beginCheckIfDue(nowNanos);
    boolean pulled = !pullDue && isPullIdle();
    if (pushDue && pusher.isIdle() && (pulled || nowNanos - pushDueNanos >= intervalNanos)) {
      pushDue = false;
      pusher.begin();
    }
  }

  /** Pulls and checks take turns: slow pulls would never leave time for a check. */
  private void beginCheckIfDue(long nowNanos) {
    if (pulledLast && isPullIdle() && pushCheck.isDue(nowNanos)) {
      pulledLast = false;
      pushCheck.begin(reading());
    }
  }

  private boolean isPullIdle() {
    return puller.isIdle() && pushCheck.isIdle();
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

  /**
   * Reads the components of a cell and of the one before it, for operators. Merges nothing.
   *
   * @return the counts by region of the cell and of the one before it, or a failure; null if no
   *     call was made
   */
  public @Nullable CompletableFuture<List<Map<String, Long>>> inspect(WindowCell current) {
    return counters.inspect(current);
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

  /** Whether this node pulls the counts of other regions. */
  public boolean isReading() {
    return reading() != Reading.NONE;
  }

  /**
   * Milliseconds since the last complete pull; -1 if there was none, or this node does not pull.
   */
  public long millisSincePull() {
    return isReading() ? millisSince(puller.doneNanos()) : -1;
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
