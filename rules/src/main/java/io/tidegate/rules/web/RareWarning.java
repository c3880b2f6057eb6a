package io.tidegate.rules.web;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Logs a failure that may occur with every request, at most once a minute. Thread-safe. */
final class RareWarning {

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  private static final long INTERVAL_MILLIS = 60_000;

  private final InstantSource clock;
  private final AtomicLong lastMillis = new AtomicLong(Long.MIN_VALUE);

  RareWarning(InstantSource clock) {
    this.clock = clock;
  }

  void log(String message, Throwable failure) {
    long now = clock.millis();
    long last = lastMillis.get();
    boolean recent = last != Long.MIN_VALUE && Math.abs(now - last) < INTERVAL_MILLIS;
    if (!recent && lastMillis.compareAndSet(last, now)) {
      LOG.log(Level.WARNING, message + " (logged at most once a minute)", failure);
    }
  }
}
