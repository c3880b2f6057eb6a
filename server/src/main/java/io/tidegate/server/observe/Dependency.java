package io.tidegate.server.observe;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * State of a server that the node calls, derived from its last calls.
 *
 * <p>Reads and writes are kept apart: a Redis that is out of memory answers reads and fails writes,
 * and must not alternate between ok and degraded. Updated by any thread; calls may be many and
 * quick, so an outcome that changes nothing writes nothing.
 */
final class Dependency {

  enum Status {
    /** The last calls worked. */
    OK,
    /** The last read or the last write failed. */
    DEGRADED,
    /** There is none, by configuration. */
    UNUSED,
    /** Nobody has called it yet. */
    UNKNOWN
  }

  /** What is called. */
  enum Call {
    READ,
    WRITE
  }

  /**
   * A dependency at one moment.
   *
   * @param reason why the last call failed, in a few words; null if it did not
   * @param degradedMillis for how long calls have been failing; 0 if they are not
   */
  record State(Status status, @Nullable String reason, long degradedMillis) {}

  /**
   * How calls of one kind went last.
   *
   * @param sinceMillis time of the first failure of the present row; 0 if the last call worked
   */
  private record Last(Status status, @Nullable String reason, long sinceMillis) {

    static final Last OK = new Last(Status.OK, null, 0);
  }

  private final InstantSource clock;
  private volatile Last reads;
  private volatile Last writes;

  /** Words for the last exception of each kind of call. Guarded by this. */
  private final Map<Call, String> causes = new EnumMap<>(Call.class);

  private Dependency(InstantSource clock, Last initial) {
    this.clock = clock;
    this.reads = initial;
    this.writes = initial;
  }

  static Dependency configured(InstantSource clock, boolean configured) {
    return new Dependency(clock, new Last(configured ? Status.UNKNOWN : Status.UNUSED, null, 0));
  }

  void worked(Call call) {
    if (last(call) != Last.OK) {
      set(call, Last.OK);
    }
  }

  /**
   * Remembers why a call fails, if it does, before the returned stage completes.
   *
   * @param made makes the call; what it throws is remembered and thrown
   */
  <T> CompletionStage<T> watch(Call call, Supplier<CompletionStage<T>> made) {
    CompletionStage<T> answer;
    try {
      answer = made.get();
    } catch (RuntimeException | Error e) {
      remember(call, e);
      throw e;
    }
    return answer.whenComplete((value, failure) -> {
      if (failure != null) {
        remember(call, failure);
      }
    });
  }

  /** Remembers why a call failed; {@link #failed(Call, CallFailure)} follows and shows it. */
  synchronized void remember(Call call, Throwable cause) {
    causes.put(call, FailureReason.of(cause));
  }

  /** A call failed, as the limiter saw it. An open circuit does not hide what opened it. */
  synchronized void failed(Call call, CallFailure failure) {
    switch (failure) {
      case TIMEOUT -> failed(call, FailureReason.TIMEOUT);
      case OTHER -> failed(call, causes.getOrDefault(call, FailureReason.UNKNOWN));
      case CIRCUIT_OPEN -> {
        if (last(call).status != Status.DEGRADED) {
          failed(call, FailureReason.CIRCUIT_OPEN);
        }
      }
    }
  }

  /** A call failed with this exception. */
  void failed(Call call, Throwable cause) {
    failed(call, FailureReason.of(cause));
  }

  private synchronized void failed(Call call, String reason) {
    Last last = last(call);
    if (last.status != Status.DEGRADED) {
      set(call, new Last(Status.DEGRADED, reason, clock.millis()));
    } else if (!reason.equals(last.reason)) {
      set(call, new Last(Status.DEGRADED, reason, last.sinceMillis));
    }
  }

  State state() {
    Last shown = shown(reads, writes);
    return new State(
        shown.status,
        shown.reason,
        shown.status == Status.DEGRADED ? Math.max(0, clock.millis() - shown.sinceMillis) : 0);
  }

  /** Of two that fail, the one that has failed for longer. */
  private static Last shown(Last read, Last write) {
    if (read.status == Status.DEGRADED && write.status == Status.DEGRADED) {
      return read.sinceMillis <= write.sinceMillis ? read : write;
    }
    if (read.status == Status.DEGRADED || write.status == Status.DEGRADED) {
      return read.status == Status.DEGRADED ? read : write;
    }
    return read.status == Status.OK ? read : write;
  }

  private Last last(Call call) {
    return call == Call.READ ? reads : writes;
  }

  private synchronized void set(Call call, Last last) {
    if (call == Call.READ) {
      reads = last;
    } else {
      writes = last;
    }
  }
}
