package io.tidegate.spi;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;

/**
 * Receives the events of a limiter, for metrics and logs.
 *
 * <p>Events of decisions come from the threads that ask for them, under no lock, and the caller
 * waits meanwhile: be quick, and do not call the limiter. Events of the origin and the global
 * counters come from any thread. What a method throws is logged, and affects neither decisions nor
 * background work. A limiter without an observer pays nothing for it.
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

  /** What the origin is asked for. */
  enum OriginOperation {
    /** To read a series before the first decision in a window. */
    READ_COLD,
    /** To read a series that it has not told about for a while. */
    READ_STALE,
    /** To read a series that has denied something less than a window ago. */
    READ_STRICT,
    /** To read a few series at random, to see whether it still knows them. */
    LOSS_CHECK,
    /** To take note of own counts. */
    REPLAY
  }

  /** Why a call to the origin or the global counters failed. */
  enum CallFailure {
    /** It was not made: too many before it had failed. */
    CIRCUIT_OPEN,
    /** There was no answer in time. */
    TIMEOUT,
    /** Anything else: no connection, or an error as the answer. */
    OTHER
  }

  /** Observes nothing. */
  LimiterObserver NONE = new LimiterObserver() {};

  /**
   * A request was decided on: {@code (decision.allowed() ? passed : denied).increment()}.
   *
   * @param scope its scope
   * @param identifier who was limited
   * @param decision the answer
   */
  default void decided(Scope scope, String identifier, Decision decision) {}

  /**
   * A batch was decided on: {@code batches.record(requests.size())}. {@link #decided} is not called
   * for its requests.
   *
   * @param requests the requests
   * @param decision the answer
   */
  default void batchDecided(List<LimitRequest> requests, BatchDecision decision) {}

  /**
   * A denial put a series into strict mode, in which it was not before:
   * {@code strictModeActivations.increment()}.
   *
   * @param scope the scope of the series
   * @param identifier who is limited
   */
  default void strictModeEntered(Scope scope, String identifier) {}

  /**
   * A live series was forgotten because there were more than {@code maxSeries}:
   * {@code log.warn("forgot {}", identifier)}. Its identifier has a fresh budget, unless there is
   * an origin, which remembers; the remedy is a higher {@code maxSeries}. Comes before the decision
   * that needed the room.
   *
   * @param scope the scope of the series
   * @param identifier who was limited
   */
  default void liveSeriesEvicted(Scope scope, String identifier) {}

  /**
   * The origin answered a call in time: {@code latency.record(nanos, NANOSECONDS)}. A replay sends
   * many counts in one call.
   *
   * @param operation what it was asked for
   * @param nanos how long it took
   */
  default void originAnswered(OriginOperation operation, long nanos) {}

  /**
   * A call to the origin failed, or was not made because too many had failed:
   * {@code errors(operation, failure).increment()}. Decisions go on; counts are sent again.
   *
   * @param operation what it was asked for
   * @param failure why it failed
   */
  default void originFailed(OriginOperation operation, CallFailure failure) {}

  /**
   * The origin has lost counts that it had confirmed, and is being told all of them again:
   * {@code log.warn("origin restarted empty")}.
   */
  default void originLostCounts() {}

  /**
   * Counts of this region were written to the global counters: {@code pushedRows.increment(rows)}.
   *
   * @param rows how many cells
   * @param nanos how long it took
   */
  default void pushed(int rows, long nanos) {}

  /**
   * A push failed, or was not made because too many had failed: {@code pushErrors.increment()}.
   * Decisions go on; what was to be pushed is pushed later.
   *
   * @param failure why it failed
   */
  default void pushFailed(CallFailure failure) {}

  /**
   * The global counters have lost counts of this region that they had confirmed, and are being told
   * again: {@code log.warn("failed over, and lost some")}.
   */
  default void globalCountersLostCounts() {}

  /**
   * Another region with an origin of its own uses the name of this one: {@code log.error("two
   * regions named {}", region)}. The two hide each other's counts from all other regions, so that
   * limits are exceeded; the remedy is a name of its own for each. Called when the conflict is
   * found, and once a minute while it lasts.
   *
   * @param region the name
   */
  default void regionNameConflict(String region) {}

  /**
   * Counts of all regions were read from the global counters: {@code rowsOfLastPull.set(rows);
   * appliedRows.increment(applied)}.
   *
   * @param rows how many components were read
   * @param applied how many of them were news
   * @param created how many series there are in memory because of them, and not of requests
   * @param nanos how long it took
   */
  default void pulled(int rows, int applied, int created, long nanos) {}

  /**
   * A pull failed, or was not made because too many had failed: {@code pullErrors.increment()}.
   * Decisions go on with the counts of other regions that are known.
   *
   * @param failure why it failed
   */
  default void pullFailed(CallFailure failure) {}
}
