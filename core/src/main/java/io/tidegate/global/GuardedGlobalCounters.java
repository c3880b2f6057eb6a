package io.tidegate.global;

import io.tidegate.model.WindowCell;
import io.tidegate.runtime.CallReport;
import io.tidegate.runtime.FailureLog;
import io.tidegate.runtime.Guard;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only caller of the {@link GlobalCounters}, and of the origin for the identity of this region.
 * Every call is guarded: it has a timeout and a circuit breaker, and its failures are logged and
 * observed.
 */
final class GuardedGlobalCounters {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final GlobalCounters counters;
  private final String region;
  private final LimiterObserver observer;

  /** Separate guards, because a database may reject writes and still read. */
  private final Guard pushes;

  private final FailureLog pushLog;
  private final Guard pulls;
  private final Guard fullPulls;
  private final Guard ownPulls;
  private final FailureLog pullLog;
  private final FailureLog ownPullLog;
  private final Scheduler scheduler;

  /** The last pull, which is the only one under way. */
  private volatile @Nullable RowWatch lastPull;

  private final @Nullable Function<String, CompletionStage<Optional<String>>> identify;
  private final Guard names;

  /** Inspections, whose failures must not stop pushes and pulls. */
  private final Guard inspections;

  private volatile boolean closed;

  GuardedGlobalCounters(
      GlobalCounters counters,
      @Nullable Function<String, CompletionStage<Optional<String>>> identify,
      String region,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.identify = identify;
    this.counters = counters;
    this.region = region;
    this.scheduler = scheduler;
    this.observer = observer;
    this.pushes = Guard.ofFewCalls(GlobalTimings.TIMEOUT, GlobalTimings.PAUSE, scheduler);
    this.pulls = Guard.ofFewCalls(GlobalTimings.TIMEOUT, GlobalTimings.PAUSE, scheduler);
    this.fullPulls =
        Guard.ofFewCalls(GlobalTimings.FULL_PULL_TIMEOUT, GlobalTimings.PAUSE, scheduler);
    this.ownPulls =
        Guard.ofFewCalls(GlobalTimings.FULL_PULL_TIMEOUT, GlobalTimings.PAUSE, scheduler);
    this.pushLog = new FailureLog(
        "Region " + region
            + " cannot push its counts to the global counters; deciding without, counts will be pushed when they return",
        "Region " + region + " can push its counts to the global counters again",
        scheduler);
    this.pullLog = new FailureLog(
        "Region " + region
            + " cannot read the other regions' counts; deciding with the last known ones",
        "Region " + region + " can read the other regions' counts again",
        scheduler);
    this.ownPullLog = new FailureLog(
        "Region " + region
            + " cannot check the counts that it has pushed; will try again in some seconds",
        "Region " + region + " can check the counts that it has pushed again",
        scheduler);
    this.names = Guard.ofFewCalls(GlobalTimings.TIMEOUT, GlobalTimings.PAUSE, scheduler);
    this.inspections = Guard.ofManyCalls(
        GlobalTimings.INSPECTION_TIMEOUT, GlobalTimings.INSPECTION_PAUSE, scheduler);
  }

  /**
   * Pushes components.
   *
   * @return those that the global counters cannot store, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Set<Component>> push(List<Component> components) {
    return call(
        pushes,
        () -> counters.push(components).thenApply(Set::copyOf),
        "a push",
        pushLog,
        nanos -> observer.pushed(components.size(), nanos),
        observer::pushFailed);
  }

  /**
   * Pulls components.
   *
   * @param tally counts the components, for the observer
   * @return where the next pull begins, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Long> pull(
      long since, long nowMillis, Consumer<Component> each, Puller.Tally tally) {
    RowWatch watch = new RowWatch(each);
    return watch.of(call(
        since == GlobalCounters.EVERYTHING ? fullPulls : pulls,
        () -> counters.pull(region, since, nowMillis, watch).thenApply(Objects::requireNonNull),
        "a pull",
        pullLog,
        nanos -> observer.pulled(tally.rows(), tally.applied(), tally.created(), nanos),
        observer::pullFailed));
  }

  /**
   * Pulls all components of this region.
   *
   * @param tally counts the components, for the observer
   * @return the number of components, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Integer> pullOwn(long nowMillis, Consumer<Component> each, Puller.Tally tally) {
    RowWatch watch = new RowWatch(each);
    return watch.of(call(
        ownPulls,
        () -> counters.pullOwn(region, nowMillis, watch).thenApply(done -> tally.rows()),
        "a pull of its own counts",
        ownPullLog,
        nanos -> observer.pulled(tally.rows(), tally.applied(), tally.created(), nanos),
        observer::pullFailed));
  }

  /**
   * Reads the identity of this region from the origin.
   *
   * @param candidate the identity to store if there is none
   * @return the identity, empty if the origin cannot hold one, or a failure; null if no call was
   *     made
   */
  @Nullable
  CompletableFuture<Optional<String>> identify(String candidate) {
    Function<String, CompletionStage<Optional<String>>> identified =
        Objects.requireNonNull(identify, "called only with an origin");
    return callQuietly(names, () -> identified.apply(candidate).thenApply(Objects::requireNonNull));
  }

  /**
   * Announces the identity of this region.
   *
   * @return how many announcements of others were recorded, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Long> announce(String identity) {
    return callQuietly(
        names, () -> counters.announce(region, identity).thenApply(Objects::requireNonNull));
  }

  /**
   * Reads the components of a cell and of the one before it.
   *
   * @return the counts by region, sorted, of the cell and of the one before it, or a failure; null
   *     if no call was made
   */
  @Nullable
  CompletableFuture<List<Map<String, Long>>> inspect(WindowCell current) {
    CompletableFuture<List<Map<String, Long>>> answer = callQuietly(
        inspections,
        () -> counters
            .components(current)
            .thenCombine(
                counters.components(current.previous()),
                (cell, previous) -> List.of(byRegion(cell), byRegion(previous))));
    if (closed) {
      inspections.close(); // the timeout is not checked any more
    }
    return answer;
  }

  private static Map<String, Long> byRegion(List<Component> components) {
    Map<String, Long> counts = new TreeMap<>();
    components.forEach(component -> counts.merge(component.region(), component.count(), Math::max));
    return Collections.unmodifiableMap(counts);
  }

  private <T> @Nullable CompletableFuture<T> call(
      Guard guard,
      Supplier<CompletionStage<T>> call,
      String what,
      FailureLog log,
      LongConsumer answered,
      Consumer<CallFailure> failed) {
    CallReport report = new CallReport(what, log, answered, failed, () -> closed);
    List<CompletableFuture<T>> answers = guard.call("", () -> List.of(call.get()), report);
    return answers == null ? null : answers.get(0);
  }

  /** Makes a call without reports: an outage is reported by pushes and pulls. */
  private static <T> @Nullable CompletableFuture<T> callQuietly(
      Guard guard, Supplier<CompletionStage<T>> call) {
    List<CompletableFuture<T>> answers =
        guard.call("", () -> List.of(call.get()), Guard.Outcome.NONE);
    return answers == null ? null : answers.get(0);
  }

  /** Reports that the global counters have lost pushed counts. */
  void reportLoss() {
    LOG.log(
        Level.WARNING,
        "The global counters have lost counts of region {0} that they had confirmed; pushing them again",
        region);
    observer.globalCountersLostCounts();
  }

  /** Fails the calls that are past their timeout, and a pull that delivers no more rows. */
  void expire() {
    RowWatch pull = lastPull;
    if (pull != null) {
      pull.expire();
    }
    pushes.expire();
    pulls.expire();
    fullPulls.expire();
    ownPulls.expire();
    names.expire();
    inspections.expire();
  }

  /** Closes the counters and fails the calls under way, without reports of these failures. */
  void close() {
    closed = true;
    counters.close();
    pushes.close();
    pulls.close();
    fullPulls.close();
    ownPulls.close();
    names.close();
    inspections.close();
  }

  /** Passes on the rows of a pull, and notes when the last one arrived. */
  private final class RowWatch implements Consumer<Component> {

    private final Consumer<Component> each;
    private volatile long rowNanos = scheduler.elapsedNanos();
    private volatile @Nullable CompletableFuture<?> answer;

    RowWatch(Consumer<Component> each) {
      this.each = each;
    }

    @Override
    public void accept(Component component) {
      rowNanos = scheduler.elapsedNanos();
      each.accept(component);
    }

    <T> @Nullable CompletableFuture<T> of(@Nullable CompletableFuture<T> made) {
      answer = made;
      lastPull = this;
      return made;
    }

    void expire() {
      CompletableFuture<?> pull = answer;
      Duration silence = GlobalTimings.PULL_SILENCE;
      if (pull != null && scheduler.elapsedNanos() - rowNanos >= silence.toNanos()) {
        pull.completeExceptionally(
            new TimeoutException("no row for " + silence.toMillis() + " ms"));
      }
    }
  }
}
