package io.tidegate.spi;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;

/**
 * Is told what the limiter does, for metrics and logs.
 *
 * <p>Calls come from the threads that ask for decisions, under no lock, and while they last the
 * caller waits: be quick, do not throw, do not call the limiter. What is thrown reaches the caller
 * of the limiter; what was told of has happened. A limiter without an observer pays nothing for it.
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
   * {@code log.warn("forgot {}", identifier)}. Its identifier has a fresh budget; the remedy is a
   * higher {@code maxSeries}. Comes before the decision that needed the room.
   *
   * @param scope the scope of the series
   * @param identifier who was limited
   */
  default void liveSeriesEvicted(Scope scope, String identifier) {}
}
