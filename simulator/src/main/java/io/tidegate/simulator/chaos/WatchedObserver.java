package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.LimiterObserver;
import java.util.List;

/** Reports evictions to the referee, and throws from every method while a fault says so. */
record WatchedObserver(Node node, Referee referee, FaultInjector faults, Trace trace)
    implements LimiterObserver {

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    referee.forgets(node, new Series(scope, identifier));
    failIfPlanned();
  }

  @Override
  public void originLostCounts() {
    trace.tell(node + " noticed that its origin lost counts");
    referee.originLostCounts(node);
    failIfPlanned();
  }

  @Override
  public void globalCountersLostCounts() {
    trace.tell(node + " noticed that the database lost counts");
    referee.databaseForgot(node);
    failIfPlanned();
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    failIfPlanned();
  }

  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
    failIfPlanned();
  }

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    failIfPlanned();
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    failIfPlanned();
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    failIfPlanned();
  }

  @Override
  public void pushed(int rows, long nanos) {
    failIfPlanned();
  }

  @Override
  public void pushFailed(CallFailure failure) {
    failIfPlanned();
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    failIfPlanned();
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failIfPlanned();
  }

  private void failIfPlanned() {
    if (faults.observerThrows(node)) {
      faults.fail();
    }
  }
}
