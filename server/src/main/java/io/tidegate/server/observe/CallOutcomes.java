package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.spi.LimiterObserver;

/** Reports the outcome of the limiter's calls to {@link Health}. */
final class CallOutcomes implements LimiterObserver {

  private final Health health;
  private final Dependency origin;
  private final Dependency globalCounters;

  CallOutcomes(Health health) {
    this.health = health;
    this.origin = health.origin();
    this.globalCounters = health.globalCounters();
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    origin.succeeded(access(operation));
  }

  @Override
  public void originFailed(OriginOperation operation, CallFailure failure) {
    origin.failed(access(operation), failure);
  }

  @Override
  public void pushed(int rows, long nanos) {
    globalCounters.succeeded(Access.WRITE);
  }

  @Override
  public void pushFailed(CallFailure failure) {
    globalCounters.failed(Access.WRITE, failure);
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    globalCounters.succeeded(Access.READ);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    globalCounters.failed(Access.READ, failure);
  }

  @Override
  public void regionNameConflict(String region) {
    health.regionNameConflict();
  }

  private static Access access(OriginOperation operation) {
    return switch (operation) {
      case REPLAY, STORE -> Access.WRITE;
      default -> Access.READ;
    };
  }
}
