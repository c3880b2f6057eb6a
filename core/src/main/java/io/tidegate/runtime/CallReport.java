package io.tidegate.runtime;

import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Tells the log and the observer how guarded calls go. */
public final class CallReport implements Guard.Outcome {

  private final String what;
  private final FailureLog log;
  private final LongConsumer answered;
  private final Consumer<CallFailure> failed;
  private final BooleanSupplier closed;

  /**
   * A report of one kind of call.
   *
   * @param what what is called, for the log: "a read"
   * @param log where to say that it fails, and that it works again
   * @param answered is told how many nanoseconds an answer took
   * @param failed is told of a failure
   * @param closed whether nobody need hear of failures any more
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
    if (cause != null) { // what was not even tried would only fill the log
      log.failed(what, cause);
    }
    failed.accept(reason(cause));
  }

  /** Why a call failed; null as the cause if it was not made. */
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
}
