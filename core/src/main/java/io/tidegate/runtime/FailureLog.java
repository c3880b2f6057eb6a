package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Says in the log that something outside fails, and that it works again, in few words however often
 * it happens.
 */
public final class FailureLog {

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  /** When a part of it fails and another works, both happen within a second. */
  private static final long CALM_NANOS = Duration.ofSeconds(1).toNanos();

  private final String failing;
  private final String working;
  private final Scheduler scheduler;

  private volatile boolean warned;
  private volatile long failedNanos;
  private long warnedNanos = Long.MIN_VALUE;
  private long failures;

  /**
   * A log of one thing's failures.
   *
   * @param failing what to say of a failure; the cause is added
   * @param working what to say when it is over
   * @param scheduler whose time counts
   */
  public FailureLog(String failing, String working, Scheduler scheduler) {
    this.failing = failing;
    this.working = working;
    this.scheduler = scheduler;
  }

  /** Says so, unless it has been said lately. */
  public synchronized void failed(String what, Throwable cause) {
    long now = scheduler.elapsedNanos();
    failedNanos = now;
    failures++;
    if (warnedNanos == Long.MIN_VALUE || now - warnedNanos >= INTERVAL_NANOS) {
      LOG.log(Level.WARNING, "{0} ({1} failed: {2})", failing, what, words(cause));
      warned = true;
      warnedNanos = now;
    }
  }

  /** Says so, if a failure was the last that was said and there was none for a while. */
  public void worked() {
    if (warned && scheduler.elapsedNanos() - failedNanos >= CALM_NANOS) {
      sayWorking();
    }
  }

  private synchronized void sayWorking() {
    if (warned) {
      warned = false;
      LOG.log(Level.INFO, "{0} ({1} failures so far)", working, failures);
    }
  }

  private static String words(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }
}
