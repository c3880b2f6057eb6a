package io.tidegate.regional;

import io.tidegate.local.SeriesStore;
import io.tidegate.runtime.FailureLog;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Registers this node in the origin, and receives the number of live nodes and the reader of the
 * region. The store divides shares by that number; a wrong one costs accuracy or a read, never a
 * count. Two nodes that both take themselves for the reader do the same work twice. Ticks come from
 * one thread at a time, answers from any thread.
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

  /** When the first registration was sent since the last answer; null if all were answered. */
  private volatile @Nullable Long unansweredNanos;

  /** When the last tick was. Used by ticks only. */
  private long tickNanos;

  /** Whether this node can read for its region. Written by the global layer. */
  private volatile boolean canRead;

  /** The reader by the last answer. */
  private volatile Optional<String> reader = Optional.empty();

  /** Whether this node is the reader, and the origin may lack imports. */
  private final AtomicBoolean importsMissing = new AtomicBoolean();

  Membership(SeriesStore store, GuardedOrigin origin, boolean canRead, Scheduler scheduler) {
    this.store = store;
    this.origin = origin;
    this.canRead = canRead;
    this.scheduler = scheduler;
    this.tickNanos = scheduler.elapsedNanos();
    this.log = new FailureLog(
        "This node cannot register in the origin of its region; the other nodes do not count it, so"
            + " limits may be exceeded",
        "This node can register in the origin of its region again",
        scheduler);
    this.dueNanos = scheduler.elapsedNanos();
  }

  void tick() {
    long now = scheduler.elapsedNanos();
    boolean paused = now - tickNanos >= RegionalTimings.REGISTRATION_INTERVAL.toNanos();
    tickNanos = now;
    if (paused && unansweredNanos != null) {
      unansweredNanos = now; // this process stood still; the answer may have arrived meanwhile
    }
    if (now - dueNanos >= 0) {
      dueNanos = now + RegionalTimings.REGISTRATION_INTERVAL.toNanos();
      if (unansweredNanos == null) {
        unansweredNanos = now;
      }
      register();
    }
  }

  /** Leaves the region, so that the others' shares grow. The answer does not count this node. */
  @SuppressWarnings("FutureReturnValueIgnored") // no later call depends on it
  void leave() {
    origin.register(Duration.ZERO, false);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stage handles failures too
  private void register() {
    CompletableFuture<LiveNodes> answer =
        origin.register(RegionalTimings.REGISTRATION_LIFETIME, canRead);
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
    boolean readBefore = isThis(reader) && failures == 0; // a lost answer may have said otherwise
    reader = live.reader();
    unansweredNanos = null;
    if (live.newReader() || (isThis(live.reader()) && !readBefore)) {
      importsMissing.set(true); // last: it is used only by a node that is the reader
    }
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

  /** The reader of the region; empty if there is none, or the origin is silent. */
  Optional<String> reader() {
    return isSilent() ? Optional.empty() : reader;
  }

  /** Whether this node is the reader of its region. */
  boolean isReader() {
    return isThis(reader());
  }

  private boolean isThis(Optional<String> name) {
    return name.filter(origin.node()::equals).isPresent();
  }

  /** Whether this node is the reader, and the origin may lack imports; true once for each time. */
  boolean takeImportsMissing() {
    return importsMissing.getAndSet(false);
  }

  /** The origin has lost counts; imports may be among them. */
  void originLostCounts() {
    if (isReader()) {
      importsMissing.set(true);
    }
  }

  /** Whether no registration has been answered for so long that the last answers are of no use. */
  boolean isSilent() {
    Long unanswered = unansweredNanos;
    return unanswered != null
        && scheduler.elapsedNanos() - unanswered >= RegionalTimings.REGISTRATION_LIFETIME.toNanos();
  }

  /** Sets whether this node can read for its region. The next registration uses it. */
  void setCanRead(boolean canRead) {
    this.canRead = canRead;
  }
}
