package io.tidegate.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call may be made. A closed breaker permits every call. It opens when too many
 * recent calls have failed, permits no call during a pause, and then one probe, which closes or
 * reopens it. If no call is requested during a second pause, the breaker closes: its failures are
 * out of date, and the next calls may come in a burst.
 *
 * <p>Every permit must be settled; otherwise a breaker waits for its probe forever. The outcome of
 * a call that was permitted before the last state change is ignored, because it is out of date.
 * Thread-safe.
 */
final class CircuitBreaker {

  private enum State {
    CLOSED,
    OPEN,
    PROBING
  }

  private final FailureRate failureRate;
  private final long pauseNanos;
  private State state = State.CLOSED;
  private long openedNanos;

  /** Number of state changes so far; a permit with another number is out of date. */
  private long changes;

  CircuitBreaker(FailureRate failureRate, long pauseNanos) {
    this.failureRate = failureRate;
    this.pauseNanos = pauseNanos;
  }

  /** Returns a permit for one call, or null if the call must not be made. */
  synchronized @Nullable Permit tryAcquire(long nowNanos) {
    if (state == State.OPEN && nowNanos - openedNanos >= 2 * pauseNanos) {
      failureRate.clear();
      change(State.CLOSED);
    } else if (state == State.OPEN && nowNanos - openedNanos >= pauseNanos) {
      change(State.PROBING);
      return new Permit(changes);
    }
    return state == State.CLOSED ? new Permit(changes) : null;
  }

  private synchronized void settle(long permittedAt, boolean failed, long nowNanos) {
    if (permittedAt != changes) {
      return;
    }
    if (state == State.PROBING && !failed) {
      failureRate.clear();
      change(State.CLOSED);
    } else if (state == State.PROBING || failureRate.record(failed, nowNanos)) {
      openedNanos = nowNanos;
      change(State.OPEN);
    }
  }

  private void change(State next) {
    state = next;
    changes++;
  }

  /** Permission to make one call. */
  final class Permit {

    private final long permittedAt;

    private Permit(long permittedAt) {
      this.permittedAt = permittedAt;
    }

    void succeeded(long nowNanos) {
      settle(permittedAt, false, nowNanos);
    }

    void failed(long nowNanos) {
      settle(permittedAt, true, nowNanos);
    }
  }
}
