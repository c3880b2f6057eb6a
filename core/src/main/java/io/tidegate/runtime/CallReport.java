package io.tidegate.runtime;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reports the outcomes of one kind of call to the log and the observer. Thread-safe. */
public final class CallReport implements Guard.Outcome {

  /** Longest text of a failure, whose message may contain a whole statement. */
  private static final int MAX_DESCRIPTION = 200;

  private final String what;
  private final FailureLog log;
  private final LongConsumer answered;
  private final Consumer<CallFailure> failed;
  private final BooleanSupplier closed;

  /**
   * A report of one kind of call.
   *
   * @param what the kind of call, for the log: "a read"
   * @param log receives failures and successes
   * @param answered receives the nanoseconds of each answered call
   * @param failed receives the reason of each failure
   * @param closed whether the limiter is closed, so that failures are not reported any more
   */
  public CallReport(
      String what,
      FailureLog log,
      LongConsumer answered,
      Consumer<CallFailure> failed,
      BooleanSupplier closed) {
    this.what = what;
    this.log = log;
    this.answered = answered;
    this.failed = failed;
    this.closed = closed;
  }

  @Override
  public void answered(long nanos) {
    log.worked();
    answered.accept(nanos);
  }

  @Override
  public void failed(@Nullable Throwable cause) {
    if (closed.getAsBoolean()) {
      return;
    }
    if (cause != null) { // a rejected call is a consequence of failures that were logged
      log.failed(what, cause);
    }
    failed.accept(reason(cause));
  }

  /** Classifies a failure; a null cause means that the call was not made. */
  public static CallFailure reason(@Nullable Throwable cause) {
    if (cause == null) {
      return CallFailure.CIRCUIT_OPEN;
    }
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof TimeoutException) {
        return CallFailure.TIMEOUT;
      }
    }
    return CallFailure.OTHER;
  }

  /** Describes a failure in a few words; a null cause means that the call was not made. */
  public static String describe(@Nullable Throwable cause) {
    return switch (reason(cause)) {
      case CIRCUIT_OPEN -> "circuit open";
      case TIMEOUT -> "timeout";
      case OTHER ->
        shortened(FailureLog.rootCause(Objects.requireNonNull(cause)).toString());
    };
  }

  private static String shortened(String text) {
    return text.length() <= MAX_DESCRIPTION ? text : text.substring(0, MAX_DESCRIPTION) + "...";
  }
}
