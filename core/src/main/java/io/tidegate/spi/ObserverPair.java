package io.tidegate.spi;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;

/**
 * Two observers that receive the same events, one after the other. The second one receives an event
 * even if the first one throws an exception.
 */
record ObserverPair(LimiterObserver first, LimiterObserver second) implements LimiterObserver {

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    try {
      first.decided(scope, identifier, decision);
    } finally {
      second.decided(scope, identifier, decision);
    }
  }

  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
    try {
      first.batchDecided(requests, decision);
    } finally {
      second.batchDecided(requests, decision);
    }
  }

  @Override
  public void strictModeEntered(Scope scope, String identifier) {
    try {
      first.strictModeEntered(scope, identifier);
    } finally {
      second.strictModeEntered(scope, identifier);
    }
  }

  @Override
  public void liveSeriesEvicted(Scope scope, String identifier) {
    try {
      first.liveSeriesEvicted(scope, identifier);
    } finally {
      second.liveSeriesEvicted(scope, identifier);
    }
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    try {
      first.originAnswered(operation, nanos);
    } finally {
      second.originAnswered(operation, nanos);
    }
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    try {
      first.originFailed(operation, failure);
    } finally {
      second.originFailed(operation, failure);
    }
  }

  @Override
  public void originLostCounts() {
    try {
      first.originLostCounts();
    } finally {
      second.originLostCounts();
    }
  }

  @Override
  public void pushed(int rows, long nanos) {
    try {
      first.pushed(rows, nanos);
    } finally {
      second.pushed(rows, nanos);
    }
  }

  @Override
  public void pushFailed(CallFailure failure) {
    try {
      first.pushFailed(failure);
    } finally {
      second.pushFailed(failure);
    }
  }

  @Override
  public void globalCountersLostCounts() {
    try {
      first.globalCountersLostCounts();
    } finally {
      second.globalCountersLostCounts();
    }
  }

  @Override
  public void regionNameConflict(String region) {
    try {
      first.regionNameConflict(region);
    } finally {
      second.regionNameConflict(region);
    }
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    try {
      first.pulled(rows, applied, created, nanos);
    } finally {
      second.pulled(rows, applied, created, nanos);
    }
  }

  @Override
  public void pullFailed(CallFailure failure) {
    try {
      first.pullFailed(failure);
    } finally {
      second.pullFailed(failure);
    }
  }
}
