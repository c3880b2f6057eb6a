package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Logs failures of a store and their end, with few lines however many calls fail. Thread-safe. */
public final class FailureLog {

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  /** Time between two warnings during one outage. */
  private static final long WARNING_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * Time without failures after which an outage is over. While one part of a store fails and
   * another works, failures and successes alternate within a second.
   */
  private static final long RECOVERY_NANOS = Duration.ofSeconds(1).toNanos();

  private final String failing;
  private final String working;
  private final Scheduler scheduler;

  private volatile boolean warned;
  private volatile long failedNanos;
  private long warnedNanos = Long.MIN_VALUE;
  private long failures;

  /**
   * A log of the failures of one store.
   *
   * @param failing the warning, to which the failed call and its cause are added
   * @param working the line at the end of an outage
   * @param scheduler the source of time
   */
  public FailureLog(String failing, String working, Scheduler scheduler) {
    this.failing = failing;
    this.working = working;
    this.scheduler = scheduler;
  }

  /** Logs a failure, unless a warning was logged within the last ten seconds. */
  public synchronized void failed(String what, Throwable cause) {
    long now = scheduler.elapsedNanos();
    failedNanos = now;
    failures++;
    if (warnedNanos == Long.MIN_VALUE || now - warnedNanos >= WARNING_INTERVAL_NANOS) {
      LOG.log(Level.WARNING, "{0} ({1} failed: {2})", failing, what, rootCause(cause));
      warned = true;
      warnedNanos = now;
    }
  }

  /** Logs the end of an outage, if a warning was logged and no call has failed for a second. */
  public void worked() {
    if (warned && scheduler.elapsedNanos() - failedNanos >= RECOVERY_NANOS) {
      logRecovery();
    }
  }

  private synchronized void logRecovery() {
    if (warned) {
      warned = false;
      LOG.log(Level.INFO, "{0} ({1} failures so far)", working, failures);
    }
  }

  static Throwable rootCause(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootCause(cause);
  }
}
