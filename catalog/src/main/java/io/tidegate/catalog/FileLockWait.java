package io.tidegate.catalog;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * Waits for the lock of a SQLite file, up to a timeout. Used by the thread of one connection.
 *
 * <p>SQLite's own wait sleeps longer each time, up to 100 ms. Under constant edits of others, it
 * misses the short gaps between them and can time out. This one checks every 2 ms.
 */
final class FileLockWait extends BusyHandler {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final long timeoutNanos;
  private long beganNanos;

  FileLockWait(Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
  }

  /** Returns 1 to try again, 0 to give up. */
  @Override
  protected int callback(int earlierCalls) {
    if (earlierCalls == 0) {
      beganNanos = System.nanoTime();
    }
    if (System.nanoTime() - beganNanos >= timeoutNanos) {
      return 0;
    }
    boolean interrupted = Thread.interrupted(); // an interrupted thread would not sleep
    LockSupport.parkNanos(POLL_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
