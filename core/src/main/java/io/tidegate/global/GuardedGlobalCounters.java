package io.tidegate.global;

import io.tidegate.runtime.CallReport;
import io.tidegate.runtime.FailureLog;
import io.tidegate.runtime.Guard;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The global counters as a node sees them, and the identity of its region: every call is guarded
 * and reported.
 */
final class GuardedGlobalCounters {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final GlobalCounters counters;
  private final String region;
  private final LimiterObserver observer;

  /** Apart, because a database may refuse to write and still read. */
  private final Guard pushes;

  private final FailureLog pushLog;
  private final Guard pulls;
  private final Guard fullPulls;
  private final FailureLog pullLog;
  private final @Nullable BiFunction<String, String, CompletionStage<Optional<String>>> identify;
  private final Guard names;
  private volatile boolean closed;

  GuardedGlobalCounters(
      GlobalCounters counters,
      @Nullable BiFunction<String, String, CompletionStage<Optional<String>>> identify,
      String region,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.identify = identify;
    this.counters = counters;
    this.region = region;
    this.observer = observer;
    this.pushes = Guard.ofFewCalls(Tuning.TIMEOUT, Tuning.PAUSE, scheduler);
    this.pulls = Guard.ofFewCalls(Tuning.TIMEOUT, Tuning.PAUSE, scheduler);
    this.fullPulls = Guard.ofFewCalls(Tuning.FULL_PULL_TIMEOUT, Tuning.PAUSE, scheduler);
    this.pushLog = new FailureLog(
        "Region " + region
            + " cannot tell other regions what it counts; decisions go on, and they are told later",
        "Region " + region + " can tell other regions again what it counts",
        scheduler);
    this.pullLog = new FailureLog(
        "Region " + region
            + " does not hear what other regions count; decisions go on with what is known of them",
        "Region " + region + " hears again what other regions count",
        scheduler);
    this.names = Guard.ofFewCalls(Tuning.TIMEOUT, Tuning.PAUSE, scheduler);
  }

  /**
   * Pushes components.
   *
   * @return those that cannot be kept, or a failure; null if no call was made
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
   * @param tally counts what comes, for the observer
   * @return where to begin the next time, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Long> pull(
      long since, long nowMillis, Consumer<Component> each, Puller.Tally tally) {
    return call(
        since == GlobalCounters.EVERYTHING ? fullPulls : pulls,
        () -> counters.pull(since, nowMillis, each).thenApply(Objects::requireNonNull),
        "a pull",
        pullLog,
        nanos -> observer.pulled(tally.rows(), tally.applied(), tally.created(), nanos),
        observer::pullFailed);
  }

  /**
   * Asks the origin for the identity of this region.
   *
   * @param candidate the identity to store if there is none
   * @return the identity, empty if the origin cannot hold one, or a failure; null if no call was
   *     made
   */
  @Nullable
  CompletableFuture<Optional<String>> identify(String candidate) {
    return callQuietly(() -> identify.apply(region, candidate).thenApply(Objects::requireNonNull));
  }

  /**
   * Announces the identity of this region.
   *
   * @return how many announcements of others were recorded, or a failure; null if no call was made
   */
  @Nullable
  CompletableFuture<Long> announce(String identity) {
    return callQuietly(
        () -> counters.announce(region, identity).thenApply(Objects::requireNonNull));
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

  /** Reports nothing: an outage is reported by the calls that counts depend on. */
  private <T> @Nullable CompletableFuture<T> callQuietly(Supplier<CompletionStage<T>> call) {
    List<CompletableFuture<T>> answers =
        names.call("", () -> List.of(call.get()), Guard.Outcome.NONE);
    return answers == null ? null : answers.get(0);
  }

  /** Says that counts are being pushed again which had been pushed, and are not there any more. */
  void sayForgotten() {
    LOG.log(
        Level.WARNING,
        "The global counters have lost counts of region {0} that they had confirmed; pushing them again",
        region);
    observer.globalCountersLostCounts();
  }

  /** Fails the calls that have waited too long. */
  void expire() {
    pushes.expire();
    pulls.expire();
    fullPulls.expire();
    names.expire();
  }

  /** What is still under way comes to nothing, and nobody need hear of it. */
  void close() {
    closed = true;
    counters.close();
    pushes.close();
    pulls.close();
    fullPulls.close();
    names.close();
  }
}
