package io.tidegate.server.observe;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * State of a server that the node calls, derived from the outcome of its last calls.
 *
 * <p>Reads and writes are kept apart: a server that is out of memory answers reads and fails
 * writes, and must not alternate between ok and degraded. Any thread may report outcomes. An
 * outcome that changes nothing takes no lock, because most calls succeed and there are many.
 */
final class Dependency {

  enum Status {
    /** The last calls succeeded. */
    OK,
    /** The last read or the last write failed. */
    DEGRADED,
    /** Not configured. */
    UNUSED,
    /** Not called yet. */
    UNKNOWN
  }

  /** Kind of a call. */
  enum Access {
    READ,
    WRITE
  }

  /**
   * State at one moment.
   *
   * @param reason why the last call failed, as a short phrase; null unless degraded
   * @param degradedMillis time since the first failure; 0 unless degraded
   */
  record State(Status status, @Nullable String reason, long degradedMillis) {}

  /**
   * Outcome of the last call of one kind.
   *
   * @param sinceMillis time of the first of the failures in a row; 0 if the call succeeded
   */
  private record LastCall(Status status, @Nullable String reason, long sinceMillis) {

    static final LastCall UNUSED = new LastCall(Status.UNUSED, null, 0);
    static final LastCall UNKNOWN = new LastCall(Status.UNKNOWN, null, 0);
    static final LastCall OK = new LastCall(Status.OK, null, 0);
  }

  private final InstantSource clock;
  private volatile LastCall reads = LastCall.UNUSED;
  private volatile LastCall writes = LastCall.UNUSED;

  /** Reason of the last exception of each kind of call. Guarded by this. */
  private final Map<Access, String> reasons = new EnumMap<>(Access.class);

  /** Creates a dependency that is not configured. */
  Dependency(InstantSource clock) {
    this.clock = clock;
  }

  /** Marks the dependency as configured. To be called once, before any outcome is reported. */
  void configured() {
    set(Access.READ, LastCall.UNKNOWN);
    set(Access.WRITE, LastCall.UNKNOWN);
  }

  /** Reports a call that succeeded. */
  void succeeded(Access access) {
    if (last(access).status != Status.OK) {
      set(access, LastCall.OK);
    }
  }

  /**
   * Makes a call and records the reason if it fails, before the returned stage completes.
   *
   * @param call makes the call; an exception that it throws is recorded and rethrown
   */
  <T> CompletionStage<T> watch(Access access, Supplier<CompletionStage<T>> call) {
    CompletionStage<T> answer;
    try {
      answer = call.get();
    } catch (RuntimeException | Error e) {
      recordReason(access, e);
      throw e;
    }
    return answer.whenComplete((value, failure) -> {
      if (failure != null) {
        recordReason(access, failure);
      }
    });
  }

  /** Records why a call failed, for the {@link #failed(Access, CallFailure)} that follows. */
  synchronized void recordReason(Access access, Throwable cause) {
    reasons.put(access, FailureReason.of(cause));
  }

  /**
   * Reports a call that failed for the limiter. An open circuit keeps the reason that opened it.
   */
  synchronized void failed(Access access, CallFailure failure) {
    switch (failure) {
      case TIMEOUT -> failed(access, FailureReason.TIMEOUT);
      case OTHER -> failed(access, reasons.getOrDefault(access, FailureReason.UNKNOWN));
      case CIRCUIT_OPEN -> {
        if (last(access).status != Status.DEGRADED) {
          failed(access, FailureReason.CIRCUIT_OPEN);
        }
      }
    }
  }

  /** Reports a call that failed with this exception. */
  void failed(Access access, Throwable cause) {
    failed(access, FailureReason.of(cause));
  }

  private synchronized void failed(Access access, String reason) {
    LastCall last = last(access);
    if (last.status != Status.DEGRADED) {
      set(access, new LastCall(Status.DEGRADED, reason, clock.millis()));
    } else if (!reason.equals(last.reason)) {
      set(access, new LastCall(Status.DEGRADED, reason, last.sinceMillis));
    }
  }

  State state() {
    LastCall shown = shown(reads, writes);
    return new State(
        shown.status,
        shown.reason,
        shown.status == Status.DEGRADED ? Math.max(0, clock.millis() - shown.sinceMillis) : 0);
  }

  /** Selects the outcome to show: of two failures the older one, else a failure, else a success. */
  private static LastCall shown(LastCall read, LastCall write) {
    if (read.status == Status.DEGRADED && write.status == Status.DEGRADED) {
      return read.sinceMillis <= write.sinceMillis ? read : write;
    }
    if (read.status == Status.DEGRADED || write.status == Status.DEGRADED) {
      return read.status == Status.DEGRADED ? read : write;
    }
    return read.status == Status.OK ? read : write;
  }

  private LastCall last(Access access) {
    return access == Access.READ ? reads : writes;
  }

  private synchronized void set(Access access, LastCall last) {
    if (access == Access.READ) {
      reads = last;
    } else {
      writes = last;
    }
  }
}
