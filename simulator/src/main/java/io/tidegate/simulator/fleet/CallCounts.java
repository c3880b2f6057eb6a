package io.tidegate.simulator.fleet;

import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;

/** Counts the calls of the nodes of one region, since the last reset. */
final class CallCounts implements LimiterObserver {

  long refreshes;
  long pushes;
  long pulls;
  long rowsPulled;

  /** Pulled rows with counts that the node did not have. */
  long newRows;

  /** Failed calls, and reported losses of counts: none of them occurs in a correct run. */
  long failures;

  long evictions;

  void reset() {
    refreshes = 0;
    pushes = 0;
    pulls = 0;
    rowsPulled = 0;
    newRows = 0;
    failures = 0;
    evictions = 0;
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    switch (operation) {
      case READ_COLD, READ_STALE, READ_STRICT -> refreshes++;
      case REPLAY, LOSS_CHECK -> {
        // derived from the counters of the origin
      }
    }
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    failures++;
  }

  @Override
  public void pushed(int rows, long nanos) {
    pushes++;
  }

  @Override
  public void pushFailed(CallFailure failure) {
    failures++;
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    pulls++;
    rowsPulled += rows;
    newRows += applied;
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failures++;
  }

  @Override
  public void originLostCounts() {
    failures++;
  }

  @Override
  public void globalCountersLostCounts() {
    failures++;
  }

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    evictions++;
  }
}
