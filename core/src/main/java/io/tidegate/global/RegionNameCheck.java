package io.tidegate.global;

import io.tidegate.runtime.FailureLog;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Detects another region that was given the same name by mistake.
 *
 * <p>The origin holds an identity of the region, the same for all its nodes. Every check announces
 * it to the global counters, which return how many announcements with this name and another
 * identity they have recorded. If that number keeps growing, another region uses the name.
 *
 * <p>Ticks come from one thread at a time, answers from any thread.
 */
final class RegionNameCheck {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /**
   * A conflict takes two growths, with at most this many checks without growth in between. One is
   * not enough: an announcement that was under way when a new identity replaced the former may be
   * recorded after the first check of the new one. And not every check finds growth, since both
   * regions check a little early or late.
   */
  private static final int MOST_CHECKS_BETWEEN = 1;

  /**
   * Failed checks in a row before one is logged. A short outage is reported by other calls; a
   * failure for a minute may be a permission that is missing for this check only.
   */
  private static final int FAILURES_TO_LOG = 6;

  private final GuardedGlobalCounters counters;
  private final String region;
  private final FailureLog log;
  private final boolean hasOrigin;
  private final Cadence checks;
  private final Scheduler scheduler;
  private final LimiterObserver observer;

  /**
   * The identity to propose to the origin: a candidate of this node, until the origin has returned
   * the one that it holds. An origin that restarts empty gets that one back. Written while a check
   * is under way, as the next two fields.
   */
  private volatile String identity;

  /** Announcements of others at the last check; null before the first check of this identity. */
  private volatile @Nullable Long others;

  /** Checks since the last one that found growth; more than the maximum before the first. */
  private volatile int checksSinceGrowth = MOST_CHECKS_BETWEEN + 1;

  /** Failed checks since the last one that succeeded. */
  private volatile int failures;

  private volatile boolean underWay;

  /** When a conflict was last found; null if none was. */
  private volatile @Nullable Long conflictNanos;

  /** When a conflict was last logged; null if none lasts. Used by ticks only. */
  private @Nullable Long loggedNanos;

  /**
   * A check of one node.
   *
   * @param candidate the identity of the region if its origin holds none, or if there is no origin
   * @param hasOrigin whether the origin holds the identity
   */
  RegionNameCheck(
      GuardedGlobalCounters counters,
      String region,
      String candidate,
      boolean hasOrigin,
      Cadence checks,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.counters = counters;
    this.region = region;
    this.log = new FailureLog(
        "Region " + region
            + " cannot check whether another region has the same name; will retry every 10 s",
        "Region " + region + " can check again whether another region has the same name",
        scheduler);
    this.identity = candidate;
    this.hasOrigin = hasOrigin;
    this.checks = checks;
    this.scheduler = scheduler;
    this.observer = observer;
  }

  /** Whether a conflict was found within the last minute. */
  boolean hasConflict() {
    Long found = conflictNanos;
    return found != null
        && scheduler.elapsedNanos() - found < GlobalTimings.NAME_CONFLICT_LIFETIME.toNanos();
  }

  /** Begins a check if one is due, and reports a conflict. */
  void tick(long nowNanos) {
    if (checks.takeDue(nowNanos) && !underWay) {
      begin();
    }
    if (hasConflict()) {
      if (loggedNanos == null
          || nowNanos - loggedNanos >= GlobalTimings.NAME_CONFLICT_LIFETIME.toNanos()) {
        loggedNanos = nowNanos;
        reportConflict();
      }
    } else if (loggedNanos != null) {
      loggedNanos = null;
      LOG.log(Level.INFO, "No other region uses the name {0} any more", region);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stage handles failures too
  private void begin() {
    CompletableFuture<Optional<String>> held = hasOrigin
        ? counters.identify(identity)
        : CompletableFuture.completedFuture(Optional.of(identity));
    if (held == null) {
      return;
    }
    underWay = true;
    held.thenCompose(this::announce).whenComplete((count, failure) -> {
      if (failure != null) {
        failed(failure);
      } else if (count != null) {
        failures = 0;
        log.worked();
        compare(count);
      }
      underWay = false;
    });
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one check is under way at a time
  private void failed(Throwable failure) {
    failures++;
    if (failures >= FAILURES_TO_LOG) {
      log.failed("the last check", failure);
    }
  }

  private CompletableFuture<@Nullable Long> announce(Optional<String> held) {
    if (held.isEmpty()) {
      return CompletableFuture.completedFuture(null); // this origin cannot hold an identity
    }
    if (!held.get().equals(identity)) {
      identity = held.get();
      others = null; // the announcements of others now include those of this node
      checksSinceGrowth = MOST_CHECKS_BETWEEN + 1;
    }
    CompletableFuture<@Nullable Long> count = counters.announce(identity);
    return count != null ? count : CompletableFuture.completedFuture(null);
  }

  private void compare(long count) {
    Long before = others;
    others = count;
    if (before == null || count <= before) {
      checksSinceGrowth = Math.min(checksSinceGrowth, MOST_CHECKS_BETWEEN) + 1;
      return;
    }
    if (checksSinceGrowth <= MOST_CHECKS_BETWEEN) {
      conflictNanos = scheduler.elapsedNanos();
    }
    checksSinceGrowth = 0;
  }

  private void reportConflict() {
    LOG.log(
        Level.WARNING,
        "Another region with an origin of its own also uses the name {0}: the two hide each other''s"
            + " counts from all other regions, and limits are exceeded. Give each region a name of"
            + " its own and restart its nodes",
        region);
    observer.regionNameConflict(region);
  }
}
