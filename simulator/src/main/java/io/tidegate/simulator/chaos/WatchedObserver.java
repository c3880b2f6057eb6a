package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.LimiterObserver;
import java.util.List;

/** Reports evictions and losses to the referee, and throws from every method as faults require. */
record WatchedObserver(Node node, Referee referee, FaultInjector faults)
    implements LimiterObserver {

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    referee.evicted(node, new Series(scope, identifier));
    throwIfFaulty();
  }

  @Override
  public void originLostCounts() {
    referee.reportedLoss(node, "its origin", FaultTrait.LOSES_ORIGIN_COUNTS);
    throwIfFaulty();
  }

  @Override
  public void globalCountersLostCounts() {
    referee.reportedLoss(node, "the database", FaultTrait.LOSES_GLOBAL_COUNTS);
    throwIfFaulty();
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    throwIfFaulty();
  }

  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
    throwIfFaulty();
  }

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    throwIfFaulty();
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    throwIfFaulty();
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    throwIfFaulty();
  }

  @Override
  public void pushed(int rows, long nanos) {
    throwIfFaulty();
  }

  @Override
  public void pushFailed(CallFailure failure) {
    throwIfFaulty();
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    throwIfFaulty();
  }

  @Override
  public void pullFailed(CallFailure failure) {
    throwIfFaulty();
  }

  private void throwIfFaulty() {
    if (faults.throwsNow(FaultKind.OBSERVER_THROWS, node)) {
      faults.fail();
    }
  }
}
