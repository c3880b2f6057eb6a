package io.tidegate.regional;

import io.tidegate.local.Batch;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The regional layer: reads the origin before decisions that need the counts of other nodes, and
 * sends own counts to it afterwards. Decisions come from any thread, ticks from one at a time.
 */
public final class RegionalLayer {

  /** How often {@link #tick} has to be called. */
  public static final Duration TICK = RegionalTimings.TICK;

  /** How long a decision waits for the origin, unless its caller wants it earlier. */
  public static final Duration LONGEST_WAIT = RegionalTimings.READ_TIMEOUT;

  /** Reads of a series that is evicted each time before the answer arrives. */
  private static final int TRIES = 3;

  private static final CompletableFuture<@Nullable SharedCounter> NO_ANSWER =
      CompletableFuture.completedFuture(null);

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final SeriesStore store;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final GuardedOrigin origin;
  private final Refresher refresher;
  private final Replayer replayer;
  private final LossDetector lossDetector;
  private final Membership membership;
  private final CompletableFuture<Void> flushed = new CompletableFuture<>();

  private final Queue<AwaitedRead> awaitedReads = new ConcurrentLinkedQueue<>();

  /** No more reads; pending counts are being sent. */
  private volatile boolean closing;

  private volatile boolean closed;

  /** A read that a request waits for. All reads of a request have one deadline. */
  private record AwaitedRead(
      CompletableFuture<@Nullable SharedCounter> read,
      CompletableFuture<@Nullable SharedCounter> answered,
      long deadlineNanos) {

    /** Whether the wait is over; ends it with the earlier answer at its deadline. */
    boolean isOver(long nowNanos) {
      return read.isDone()
          || (nowNanos - deadlineNanos >= 0 && read.complete(answered.getNow(null)));
    }
  }

  /**
   * The regional layer of one node.
   *
   * @param canRead whether the node can read the global counters for its region
   */
  public RegionalLayer(
      SeriesStore store,
      Refresher refresher,
      boolean canRead,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.refresher = refresher;
    this.origin = refresher.origin();
    this.replayer = new Replayer(store.unconfirmed(), origin, clock, scheduler);
    this.membership = new Membership(store, origin, canRead, scheduler);
    this.lossDetector =
        new LossDetector(store, origin, membership::originLostCounts, clock, scheduler, observer);
    alignClock();
    membership.tick();
  }

  /** Decides after a read of the origin. Waits for the read, up to its timeout. */
  public Decision decide(
      SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    long deadlineNanos = deadlineNanos(LONGEST_WAIT);
    CompletableFuture<@Nullable SharedCounter> refreshed =
        refresh(table, identifier, nowMillis, NO_ANSWER, deadlineNanos);
    while (true) {
      await(refreshed, deadlineNanos);
      Decision decision = mayReadAgain(refreshed, deadlineNanos)
          ? table.decideAfterRead(identifier, limit, cost, nowMillis)
          : table.decideFromMemory(identifier, limit, cost, nowMillis);
      if (decision != null) {
        return restingOn(refreshed, decision);
      }
      refreshed = refresh(table, identifier, nowMillis, refreshed, deadlineNanos);
    }
  }

  /**
   * Decides after a read of the origin, without blocking.
   *
   * @param maxWait how long the decision may wait for the read
   */
  public CompletableFuture<Decision> decideAsync(
      SeriesTable table, LimitRequest request, long nowMillis, Duration maxWait) {
    long deadlineNanos = deadlineNanos(maxWait);
    CompletableFuture<@Nullable SharedCounter> refreshed =
        refresh(table, request.identifier(), nowMillis, NO_ANSWER, deadlineNanos);
    return decideAsync(table, request, nowMillis, refreshed, deadlineNanos);
  }

  private CompletableFuture<Decision> decideAsync(
      SeriesTable table,
      LimitRequest request,
      long nowMillis,
      CompletableFuture<@Nullable SharedCounter> refreshed,
      long deadlineNanos) {
    String identifier = request.identifier();
    return refreshed.thenCompose(done -> {
      Decision decision = mayReadAgain(refreshed, deadlineNanos)
          ? table.decideAfterRead(identifier, request.limit(), request.cost(), nowMillis)
          : table.decideFromMemory(identifier, request.limit(), request.cost(), nowMillis);
      if (decision != null) {
        return CompletableFuture.completedFuture(restingOn(refreshed, decision));
      }
      CompletableFuture<@Nullable SharedCounter> again =
          refresh(table, identifier, nowMillis, refreshed, deadlineNanos);
      return decideAsync(table, request, nowMillis, again, deadlineNanos);
    });
  }

  /** Decides on a batch after reads of its unsure series. Waits for the reads. */
  public BatchDecision decideAll(Batch batch, long nowMillis) {
    long deadlineNanos = deadlineNanos(LONGEST_WAIT);
    Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads = new HashMap<>();
    refresh(batch, batch.unsure(), reads, nowMillis, deadlineNanos);
    while (true) {
      await(all(reads), deadlineNanos);
      BatchDecision decision = decide(batch, reads, deadlineNanos);
      if (decision != null) {
        return decision;
      }
      refresh(batch, batch.beyondShare(), reads, nowMillis, deadlineNanos);
    }
  }

  /**
   * Decides on a batch after reads of its unsure series, without blocking.
   *
   * @param maxWait how long the decision may wait for the reads
   */
  public CompletableFuture<BatchDecision> decideAllAsync(
      Batch batch, long nowMillis, Duration maxWait) {
    Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads = new HashMap<>();
    long deadlineNanos = deadlineNanos(maxWait);
    refresh(batch, batch.unsure(), reads, nowMillis, deadlineNanos);
    return decideAllAsync(batch, reads, nowMillis, deadlineNanos);
  }

  private CompletableFuture<BatchDecision> decideAllAsync(
      Batch batch,
      Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads,
      long nowMillis,
      long deadlineNanos) {
    return all(reads).thenCompose(done -> {
      BatchDecision decision = decide(batch, reads, deadlineNanos);
      if (decision != null) {
        return CompletableFuture.completedFuture(decision);
      }
      refresh(batch, batch.beyondShare(), reads, nowMillis, deadlineNanos);
      return decideAllAsync(batch, reads, nowMillis, deadlineNanos);
    });
  }

  private long deadlineNanos(Duration maxWait) {
    Duration wait = maxWait.compareTo(LONGEST_WAIT) < 0 ? maxWait : LONGEST_WAIT;
    return scheduler.elapsedNanos() + wait.toNanos();
  }

  /** Whether the read has succeeded, and there is time for another if the share is spent again. */
  private boolean mayReadAgain(
      CompletableFuture<@Nullable SharedCounter> refreshed, long deadlineNanos) {
    return hasAnswered(refreshed) && scheduler.elapsedNanos() - deadlineNanos < 0;
  }

  /**
   * Reads a series from the origin, and again if it was evicted meanwhile and the answer with it.
   *
   * @return the counter that has merged an answer; null if there is none
   */
  private CompletableFuture<@Nullable SharedCounter> refresh(
      SeriesTable table, String identifier, long nowMillis, int tries) {
    SharedCounter counter = table.sharedCounter(identifier, nowMillis);
    return refresher.refresh(counter, nowMillis).thenCompose(answered -> {
      if (!counter.isRemoved()) {
        return CompletableFuture.completedFuture(answered ? counter : null);
      }
      return tries == 1 || closing
          ? CompletableFuture.completedFuture(null)
          : refresh(table, identifier, nowMillis, tries - 1);
    });
  }

  /**
   * Reads a series for a request, no longer than until its deadline.
   *
   * @param answered an earlier answer, which is used if no other arrives in time
   */
  private CompletableFuture<@Nullable SharedCounter> refresh(
      SeriesTable table,
      String identifier,
      long nowMillis,
      CompletableFuture<@Nullable SharedCounter> answered,
      long deadlineNanos) {
    CompletableFuture<@Nullable SharedCounter> read =
        refresh(table, identifier, nowMillis, TRIES).copy();
    AwaitedRead awaited = new AwaitedRead(read, answered, deadlineNanos);
    if (!awaited.isOver(scheduler.elapsedNanos())) {
      awaitedReads.add(awaited);
    }
    return read;
  }

  /**
   * Reads those series of a batch that are marked.
   *
   * @param reads the last read of each request that needed one, by its index
   */
  private void refresh(
      Batch batch,
      boolean[] marked,
      Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads,
      long nowMillis,
      long deadlineNanos) {
    for (int i = 0; i < marked.length; i++) {
      if (marked[i]) {
        LimitRequest request = batch.request(i);
        SeriesTable table = store.table(request.scope());
        CompletableFuture<@Nullable SharedCounter> answered = reads.getOrDefault(i, NO_ANSWER);
        String identifier = request.identifier();
        reads.put(i, refresh(table, identifier, nowMillis, answered, deadlineNanos));
      }
    }
  }

  private static CompletableFuture<Void> all(
      Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads) {
    return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new));
  }

  /** Waits no longer than until a deadline, even if the scheduler does not fail the read. */
  private void await(Future<?> answered, long deadlineNanos) {
    try {
      answered.get(deadlineNanos - scheduler.elapsedNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      endOverdueWaits(); // the decision is made from memory
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a refresh never completes exceptionally", e);
    }
  }

  /**
   * The decision with its source. The counter that merged the answer may have been evicted since,
   * while a batch waited for other reads; the decision then rests on the memory of its successor.
   */
  private static Decision restingOn(
      CompletableFuture<@Nullable SharedCounter> refreshed, Decision decision) {
    boolean answered = hasAnswered(refreshed);
    return decision.restingOn(answered ? Decision.Source.ORIGIN : Decision.Source.LOCAL, !answered);
  }

  private static boolean hasAnswered(CompletableFuture<@Nullable SharedCounter> refreshed) {
    SharedCounter counter = refreshed.getNow(null);
    return counter != null && !counter.isRemoved();
  }

  /** Null if the share of a series is spent again, and there is time for another read. */
  private @Nullable BatchDecision decide(
      Batch batch,
      Map<Integer, CompletableFuture<@Nullable SharedCounter>> reads,
      long deadlineNanos) {
    boolean inTime = scheduler.elapsedNanos() - deadlineNanos < 0;
    BatchDecision decided = inTime
        ? batch.decideAfterReads(i -> !reads.containsKey(i) || hasAnswered(reads.get(i)))
        : batch.decide();
    if (decided == null) {
      return null;
    }
    List<Decision> decisions = new ArrayList<>(decided.decisions());
    for (int i = 0; i < decisions.size(); i++) {
      CompletableFuture<@Nullable SharedCounter> read = reads.get(i);
      if (read != null) {
        decisions.set(i, restingOn(read, decisions.get(i)));
      } else if (batch.hasLost(i)) { // was sure, and was evicted during the reads of others
        decisions.set(i, decisions.get(i).restingOn(Decision.Source.LOCAL, true));
      }
    }
    return new BatchDecision(decided.allowed(), decisions);
  }

  /** The periodic work. */
  public synchronized void tick() {
    if (closed) {
      return;
    }
    alignClock();
    origin.expire();
    endOverdueWaits();
    replayer.tick();
    if (!closing) {
      lossDetector.tick();
      membership.tick();
    } else if (replayer.unconfirmed() == 0) {
      flushed.complete(null);
    }
  }

  private void endOverdueWaits() {
    long nowNanos = scheduler.elapsedNanos();
    awaitedReads.removeIf(read -> read.isOver(nowNanos));
  }

  private void alignClock() {
    store.alignClock(clock.millis(), TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos()));
  }

  /** Number of series with counts that the origin has not confirmed. */
  public long unconfirmed() {
    return replayer.unconfirmed();
  }

  /** Live nodes of the region, this one included; 0 if the origin has never answered. */
  public int liveNodes() {
    return membership.liveNodes();
  }

  /** The node that reads the global counters for the region; empty if there is none. */
  public Optional<String> reader() {
    return membership.reader();
  }

  /** Whether this node reads the global counters for its region. */
  public boolean isReader() {
    return membership.isReader();
  }

  /** Whether this node is the reader, and the origin may lack imports; true once for each time. */
  public boolean takeImportsMissing() {
    return membership.takeImportsMissing();
  }

  /** Whether the origin has not answered for so long that this node has to pull for itself. */
  public boolean isSilent() {
    return membership.isSilent();
  }

  /** Sets whether this node can read the global counters for its region. */
  public void setCanRead(boolean canRead) {
    membership.setCanRead(canRead);
  }

  /**
   * Begins a read of a series that this node is about to push, unless no other node can have pushed
   * it.
   *
   * @return whether a read is under way
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a read merges its own answer
  public boolean refreshBeforePush(SharedCounter counter) {
    boolean needed = !counter.isAlone() && !isSilent();
    if (needed) {
      refresher.refresh(counter, clock.millis());
    }
    return needed;
  }

  /**
   * Stores counts of this and other regions in the origin.
   *
   * @return the number of those that were stored: less than all if a part fails; never fails
   */
  public CompletableFuture<Integer> store(List<Component> components) {
    return origin.store(components);
  }

  /** Reads the identity of this region, or stores the candidate. The caller guards the call. */
  public CompletionStage<Optional<String>> identify(String candidate) {
    return origin.identify(candidate);
  }

  /** Number of tokens that the origin did not confirm within the lifetime of their cell. */
  public long lostTokens() {
    return replayer.lostTokens();
  }

  /** Flushes pending counts while ticks go on, and closes the origin. */
  public void close() {
    if (closed) {
      return;
    }
    closing = true;
    refresher.close();
    synchronized (this) { // a tick that registers has ended, and no other will
      membership.leave();
    }
    tick();
    try {
      flushed.get(RegionalTimings.FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "The origin did not answer before the limiter closed; the last counts of {0} series were not sent",
          replayer.unconfirmed());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a flush never completes exceptionally", e);
    }
    closed = true;
    store.unconfirmed().close();
    origin.close();
  }
}
