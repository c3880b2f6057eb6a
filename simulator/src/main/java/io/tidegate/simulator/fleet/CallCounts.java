package io.tidegate.simulator.fleet;

import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;

/** What the nodes of a region tell of their calls. */
final class CallCounts implements LimiterObserver {

  private long refreshes;
  private long patrols;
  private long pushes;
  private long pulls;
  private long rowsPulled;
  private long news;
  private long failures;
  private long evictions;

  /** How much there was at a moment, or since another. */
  record Reading(
      long refreshes,
      long patrols,
      long pushes,
      long pulls,
      long rowsPulled,
      long news,
      long failures,
      long evictions) {

    static final Reading NOTHING = new Reading(0, 0, 0, 0, 0, 0, 0, 0);

    Reading plus(Reading other) {
      return combined(other, 1);
    }

    Reading since(Reading before) {
      return combined(before, -1);
    }

    private Reading combined(Reading other, int times) {
      return new Reading(
          refreshes + times * other.refreshes,
          patrols + times * other.patrols,
          pushes + times * other.pushes,
          pulls + times * other.pulls,
          rowsPulled + times * other.rowsPulled,
          news + times * other.news,
          failures + times * other.failures,
          evictions + times * other.evictions);
    }
  }

  Reading read() {
    return new Reading(refreshes, patrols, pushes, pulls, rowsPulled, news, failures, evictions);
  }

  @Override
  public void originAnswered(OriginOperation operation, long nanos) {
    switch (operation) {
      case LOSS_CHECK -> patrols++;
      case READ_COLD, READ_STALE, READ_STRICT -> refreshes++;
      case REPLAY -> {
        // the origin counts what it is told
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
    news += applied;
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failures++;
  }

  /** Nothing is ever lost here: whoever finds that something was, is wrong. */
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
