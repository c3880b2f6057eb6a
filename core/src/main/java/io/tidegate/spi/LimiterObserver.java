package io.tidegate.spi;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;
import java.util.Objects;

/**
 * Receives the events of a limiter, for metrics and logs.
 *
 * <p>Decisions are reported on the thread of the caller, which waits; no lock is held. Methods must
 * be fast and must not call the limiter. Events of the origin and the global counters arrive on any
 * thread. Exceptions of an observer are logged, and affect neither decisions nor background work. A
 * limiter without an observer has no overhead.
 *
 * <pre>{@code
 * LimiterObserver denials = new LimiterObserver() {
 *   public void decided(Scope scope, String identifier, Decision decision) {
 *     if (!decision.allowed()) {
 *       denied.increment();
 *     }
 *   }
 * };
 * RateLimiter limiter = RateLimiter.builder().observer(denials).build();
 * }</pre>
 */
public interface LimiterObserver {

  /** A kind of call to the origin. */
  enum OriginOperation {
    /** Reads a series before its first decision in a window. */
    READ_COLD,
    /** Reads a series whose last answer is too old. */
    READ_STALE,
    /** Reads a series in strict mode: it denied a request less than a window ago. */
    READ_STRICT,
    /**
     * Sends and reads a series of which this node has spent half of its share, or all of it, or
     * whose count it is about to push.
     */
    READ_SHARE,
    /** Reads a few random series, to detect an origin that lost counts. */
    LOSS_CHECK,
    /** Sends own counts. */
    REPLAY,
    /** Stores counts of other regions, and what has been pushed to them. */
    STORE
  }

  /** Why a call to the origin or the global counters failed. */
  enum CallFailure {
    /** The call was not made, because too many earlier calls failed. */
    CIRCUIT_OPEN,
    /** The answer did not arrive in time. */
    TIMEOUT,
    /** Any other failure, such as a lost connection or an error in the answer. */
    OTHER
  }

  /** Ignores all events. */
  LimiterObserver NONE = new LimiterObserver() {};

  /**
   * Combines this observer with another: {@code builder.observer(metrics.andThen(denials))}. Both
   * receive every event, this one first, even if it throws an exception.
   *
   * @param second the other observer
   * @return the observer of both
   */
  default LimiterObserver andThen(LimiterObserver second) {
    Objects.requireNonNull(second, "second must not be null");
    if (this == NONE || second == NONE) {
      return this == NONE ? second : this;
    }
    return new ObserverPair(this, second);
  }

  /**
   * Reports a decision: {@code (decision.allowed() ? allowed : denied).increment()}. That of a
   * recorded cost is denied if the limit is exceeded, although the cost was charged.
   *
   * @param scope the scope of the request
   * @param identifier the identifier of the request
   * @param decision the decision
   */
  default void decided(Scope scope, String identifier, Decision decision) {}

  /**
   * Reports the decision on a batch: {@code batches.record(requests.size())}. {@link #decided} is
   * not called for its requests.
   *
   * @param requests the requests
   * @param decision the decision
   */
  default void batchDecided(List<LimitRequest> requests, BatchDecision decision) {}

  /**
   * Reports that a denial put a series into strict mode: {@code strictModeActivations.increment()}.
   *
   * @param scope the scope of the series
   * @param identifier the identifier of the series
   */
  default void strictModeEntered(Scope scope, String identifier) {}

  /**
   * Reports that a live series was evicted because there were more than {@code maxSeries}:
   * {@code log.warn("evicted {}", identifier)}. Without an origin the identifier starts with a
   * fresh budget; increase {@code maxSeries}. Reported before the decision that needed the memory.
   *
   * @param scope the scope of the series
   * @param identifier the identifier of the series
   */
  default void liveSeriesEvicted(Scope scope, String identifier) {}

  /**
   * Reports an answer of the origin: {@code latency.record(nanos, NANOSECONDS)}. One replay sends
   * many counts.
   *
   * @param operation the kind of call
   * @param nanos the duration of the call
   */
  default void originAnswered(OriginOperation operation, long nanos) {}

  /**
   * Reports a call to the origin that failed, or was not made because too many had failed:
   * {@code errors(operation, failure).increment()}. Decisions continue, and counts are sent again.
   *
   * @param operation the kind of call
   * @param failure the reason
   */
  default void originFailed(OriginOperation operation, CallFailure failure) {}

  /**
   * Reports that the origin has lost counts that it had confirmed: {@code log.warn("origin
   * restarted empty")}. The node sends all of its counts again.
   */
  default void originLostCounts() {}

  /**
   * Reports a successful push: {@code pushedRows.increment(rows)}.
   *
   * @param rows the number of components
   * @param nanos the duration of the call
   */
  default void pushed(int rows, long nanos) {}

  /**
   * Reports a push that failed, or was not made because too many had failed:
   * {@code pushErrors.increment()}. Decisions continue, and the counts are pushed later.
   *
   * @param failure the reason
   */
  default void pushFailed(CallFailure failure) {}

  /**
   * Reports that the global counters have lost counts of this region that they had confirmed:
   * {@code log.warn("database failed over with loss")}. The counts are pushed again.
   */
  default void globalCountersLostCounts() {}

  /**
   * Reports that another region with its own origin uses the name of this one:
   * {@code log.error("two regions named {}", region)}. Other regions see only the higher count of
   * the two, so that limits are overshot; give each region its own name. Reported when the conflict
   * is detected, and once a minute while it lasts.
   *
   * @param region the name
   */
  default void regionNameConflict(String region) {}

  /**
   * Reports a successful pull: {@code rowsOfLastPull.set(rows); appliedRows.increment(applied)}.
   *
   * @param rows the number of components read
   * @param applied the number of components that raised a count, or were stored in the origin
   * @param created the number of series that the pull created
   * @param nanos the duration of the call
   */
  default void pulled(int rows, int applied, int created, long nanos) {}

  /**
   * Reports a pull that failed, or was not made because too many had failed:
   * {@code pullErrors.increment()}. Decisions continue with the counts imported before.
   *
   * @param failure the reason
   */
  default void pullFailed(CallFailure failure) {}
}
