package io.tidegate.regional;

import io.tidegate.local.SeriesStore;
import io.tidegate.runtime.FailureLog;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Registers this node in the origin, and passes the number of live nodes to the store, which
 * divides shares by it. A wrong number costs accuracy or a read, never a count. Ticks come from one
 * thread at a time, answers from any thread.
 */
final class Membership {

  /**
   * Failed registrations in a row before one is logged. An outage is reported by other calls; a
   * failure for so long may be a permission that is missing for this call only.
   */
  private static final int FAILURES_TO_LOG = 10;

  private final SeriesStore store;
  private final GuardedOrigin origin;
  private final Scheduler scheduler;
  private final FailureLog log;

  /** The first registration is due at once: the others' shares depend on it. Used by ticks. */
  private long dueNanos;

  /** Failed registrations since the last one that succeeded. */
  private volatile int failures;

  /** Live nodes by the last answer, and by the last two; 0 before the first. */
  private volatile int lastAnswer;

  private volatile int liveNodes;

  Membership(SeriesStore store, GuardedOrigin origin, Scheduler scheduler) {
    this.store = store;
    this.origin = origin;
    this.scheduler = scheduler;
    this.log = new FailureLog(
        "This node cannot register in the origin of its region; the other nodes do not count it, so"
            + " limits may be exceeded",
        "This node can register in the origin of its region again",
        scheduler);
    this.dueNanos = scheduler.elapsedNanos();
  }

  void tick() {
    long now = scheduler.elapsedNanos();
    if (now - dueNanos >= 0) {
      dueNanos = now + RegionalTimings.REGISTRATION_INTERVAL.toNanos();
      register();
    }
  }

  /** Leaves the region, so that the others' shares grow. The answer does not count this node. */
  @SuppressWarnings("FutureReturnValueIgnored") // no later call depends on it
  void leave() {
    origin.register(Duration.ZERO);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stage handles failures too
  private void register() {
    CompletableFuture<LiveNodes> answer = origin.register(RegionalTimings.REGISTRATION_LIFETIME);
    if (answer != null) {
      answer.whenComplete((live, failure) -> {
        if (failure == null) {
          registered(live);
        } else {
          failed(failure);
        }
      });
    }
  }

  /**
   * Uses the greater of the last two answers: an origin that has lost its registrations counts few
   * nodes until all have registered again.
   */
  private void registered(LiveNodes live) {
    failures = 0;
    log.worked();
    int known = Math.max(1, live.count());
    liveNodes = Math.max(known, lastAnswer);
    lastAnswer = known;
    store.setLiveNodes(liveNodes);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one registration is answered at a time
  private void failed(Throwable failure) {
    failures++;
    if (failures >= FAILURES_TO_LOG) {
      log.failed("the last registration", failure);
    }
  }

  /** Live nodes of the region, this one included; 0 if the origin has never answered. */
  int liveNodes() {
    return liveNodes;
  }
}
