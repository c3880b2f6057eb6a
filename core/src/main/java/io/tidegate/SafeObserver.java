package io.tidegate;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.runtime.FailureLog;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.Scheduler;
import java.util.List;

/**
 * Forwards events to the observer of the host, and logs its exceptions: a faulty observer must not
 * fail decisions or stop background work.
 */
final class SafeObserver implements LimiterObserver {

  private final LimiterObserver observer;
  private final FailureLog log;

  private SafeObserver(LimiterObserver observer, Scheduler scheduler) {
    this.observer = observer;
    this.log = new FailureLog(
        "The observer of the rate limiter throws exceptions; events are lost, decisions are not affected",
        "The observer of the rate limiter works again",
        scheduler);
  }

  /** Wraps an observer; {@link LimiterObserver#NONE} is returned as is. */
  static LimiterObserver of(LimiterObserver observer, Scheduler scheduler) {
    return observer == NONE ? NONE : new SafeObserver(observer, scheduler);
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    try {
      observer.decided(scope, identifier, decision);
    } catch (RuntimeException | Error e) { // not through notify: it would allocate per decision
      log.failed("decided", e);
    }
  }

  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
    notify("batchDecided", () -> observer.batchDecided(requests, decision));
  }

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    notify("strictModeEntered", () -> observer.strictModeEntered(scope, identifier));
  }

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    notify("liveSeriesEvicted", () -> observer.liveSeriesEvicted(scope, identifier));
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    notify("originAnswered", () -> observer.originAnswered(operation, nanos));
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    notify("originFailed", () -> observer.originFailed(operation, failure));
  }

  @Override
  public void originLostCounts() {
    notify("originLostCounts", observer::originLostCounts);
  }

  @Override
  public void pushed(int rows, long nanos) {
    notify("pushed", () -> observer.pushed(rows, nanos));
  }

  @Override
  public void pushFailed(CallFailure failure) {
    notify("pushFailed", () -> observer.pushFailed(failure));
  }

  @Override
  public void globalCountersLostCounts() {
    notify("globalCountersLostCounts", observer::globalCountersLostCounts);
  }

  @Override
  public void regionNameConflict(String region) {
    notify("regionNameConflict", () -> observer.regionNameConflict(region));
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    notify("pulled", () -> observer.pulled(rows, applied, created, nanos));
  }

  @Override
  public void pullFailed(CallFailure failure) {
    notify("pullFailed", () -> observer.pullFailed(failure));
  }

  private void notify(String event, Runnable notification) {
    try {
      notification.run();
    } catch (RuntimeException | Error e) {
      log.failed(event, e);
    }
  }
}
