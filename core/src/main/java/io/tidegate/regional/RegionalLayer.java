package io.tidegate.regional;

import io.tidegate.local.Batch;
import io.tidegate.local.EvictedBound;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This node as one of a region: asks the origin before decisions that should know what the others
 * counted, and tells it afterwards what was counted here.
 */
public final class RegionalLayer {

  /** How often the origin is told what has changed. */
  public static final Duration TICK = Duration.ofMillis(10);

  /** Most that {@link #close} waits for the origin to confirm what is left. */
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

  /** How often a series is asked about that is evicted each time before the answer comes. */
  private static final int TRIES = 3;

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final SeriesStore store;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final GuardedOrigin origin;
  private final Refresher refresher;
  private final Replayer replayer;
  private final LossDetector patrol;
  private final CompletableFuture<Void> goodbye = new CompletableFuture<>();
  private volatile boolean closed;
  private volatile boolean gone;

  /** Joins a region, under a name that no other node has or had. */
  public RegionalLayer(
      SeriesStore store,
      RegionalOrigin origin,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    alignClock();
    this.origin = new GuardedOrigin(origin, region, node, clock, scheduler, observer);
    this.refresher = new Refresher(this.origin, scheduler);
    this.replayer =
        new Replayer(new EvictedBound(store, store.maxSeries()), this.origin, clock, scheduler);
    this.patrol = new LossDetector(store, this.origin, replayer, clock, scheduler, observer);
  }

  /** Decides after asking the origin; waits for that, but not for long. */
  public Decision decide(
      SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    CompletableFuture<@Nullable SharedCounter> known = ask(table, identifier, nowMillis, TRIES);
    await(known);
    return restingOn(known, table.decideUnsure(identifier, limit, cost, nowMillis));
  }

  /** The same without waiting. */
  public CompletableFuture<Decision> decideAsync(
      SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    CompletableFuture<@Nullable SharedCounter> known = ask(table, identifier, nowMillis, TRIES);
    return known.thenApply(
        done -> restingOn(known, table.decideUnsure(identifier, limit, cost, nowMillis)));
  }

  /** Decides on a batch after asking the origin where it should be; waits, but not for long. */
  public BatchDecision decideAll(Batch batch, long nowMillis) {
    List<@Nullable CompletableFuture<@Nullable SharedCounter>> known = askAll(batch, nowMillis);
    await(all(known));
    return decide(batch, known);
  }

  /** The same without waiting. */
  public CompletableFuture<BatchDecision> decideAllAsync(Batch batch, long nowMillis) {
    List<@Nullable CompletableFuture<@Nullable SharedCounter>> known = askAll(batch, nowMillis);
    return all(known).thenApply(done -> decide(batch, known));
  }

  /** Asks the origin about a series that was decided on without. */
  public void refreshInBackground(SharedCounter counter, long nowMillis) {
    refresh(counter, nowMillis);
  }

  /** Will tell the origin about a series that has changed. */
  public void replay(SharedCounter counter) {
    if (!gone) { // or nobody would ever take it from the queue
      replayer.add(counter);
    }
  }

  private CompletableFuture<Boolean> refresh(SharedCounter counter, long nowMillis) {
    return closed
        ? CompletableFuture.completedFuture(false)
        : refresher.refresh(counter, nowMillis);
  }

  /**
   * Asks the origin about a series, and again if it was evicted meanwhile and the answer with it.
   *
   * @return the counter that knows what the origin knows; null if none does
   */
  private CompletableFuture<@Nullable SharedCounter> ask(
      SeriesTable table, String identifier, long nowMillis, int tries) {
    SharedCounter counter = table.sharedCounter(identifier, nowMillis);
    return refresh(counter, nowMillis).thenCompose(answered -> {
      if (!counter.isGone()) {
        return CompletableFuture.completedFuture(answered ? counter : null);
      }
      return tries == 1 || closed
          ? CompletableFuture.completedFuture(null)
          : ask(table, identifier, nowMillis, tries - 1);
    });
  }

  private List<@Nullable CompletableFuture<@Nullable SharedCounter>> askAll(
      Batch batch, long nowMillis) {
    boolean[] unsure = batch.unsure();
    List<@Nullable CompletableFuture<@Nullable SharedCounter>> known =
        new ArrayList<>(unsure.length);
    for (int i = 0; i < unsure.length; i++) {
      LimitRequest request = batch.request(i);
      known.add(
          unsure[i]
              ? ask(store.table(request.scope()), request.identifier(), nowMillis, TRIES)
              : null);
    }
    return known;
  }

  private static CompletableFuture<Void> all(
      List<@Nullable CompletableFuture<@Nullable SharedCounter>> known) {
    Stream<CompletableFuture<@Nullable SharedCounter>> asked =
        known.stream().filter(Objects::nonNull);
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new));
  }

  /** Whoever waits here does so no longer than told, even if nobody ends reads that take longer. */
  private static void await(Future<?> answered) {
    try {
      answered.get(GuardedOrigin.READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return; // decides without
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("refreshes tell whether they failed, and do not", e);
    }
  }

  /**
   * A counter that knew may be gone: evicted while a batch waited for what others would tell. Then
   * the decision did not rest on it.
   */
  private static Decision restingOn(
      CompletableFuture<@Nullable SharedCounter> known, Decision decision) {
    SharedCounter counter = known.getNow(null);
    boolean answered = counter != null && !counter.isGone();
    return decision.restingOn(answered ? Decision.Source.ORIGIN : Decision.Source.LOCAL, !answered);
  }

  private static BatchDecision decide(
      Batch batch, List<@Nullable CompletableFuture<@Nullable SharedCounter>> known) {
    BatchDecision decided = batch.decide();
    List<Decision> decisions = new ArrayList<>(decided.decisions());
    for (int i = 0; i < decisions.size(); i++) {
      if (known.get(i) != null) {
        decisions.set(i, restingOn(known.get(i), decisions.get(i)));
      } else if (batch.hasLost(i)) { // of what it was sure of, before it waited for others
        decisions.set(i, decisions.get(i).restingOn(Decision.Source.LOCAL, true));
      }
    }
    return new BatchDecision(decided.allowed(), decisions);
  }

  /** The work of every {@link #TICK}. */
  public synchronized void tick() {
    if (gone) {
      return;
    }
    alignClock();
    origin.expire();
    replayer.tick();
    if (!closed) {
      patrol.tick();
    } else if (replayer.unconfirmed() == 0) {
      goodbye.complete(null);
    }
  }

  private void alignClock() {
    store.alignClock(clock.millis(), TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos()));
  }

  /** How many series the origin does not know all of. */
  public long unconfirmed() {
    return replayer.unconfirmed();
  }

  /** How many tokens the origin did not confirm before their cell was over. */
  public long lostTokens() {
    return replayer.lostTokens();
  }

  /** Tells the origin what is left, while ticks go on; gives up after a while, and says so. */
  public void close() {
    if (gone) {
      return;
    }
    closed = true;
    tick();
    try {
      goodbye.get(LONGEST_GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "Closed while the origin did not answer: what {0} series counted last is lost to the region",
          replayer.unconfirmed());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("nothing fails here", e);
    }
    gone = true;
    origin.close();
  }
}
