package io.tidegate.testing;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A clock and a scheduler that advance only when a test says so. Thread-safe; tasks run on the
 * thread that calls {@link #advance}.
 *
 * <pre>{@code
 * VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
 * RateLimiter limiter = RateLimiter.builder().clock(time).scheduler(time).build();
 * limiter.tryAcquire(request);
 * time.advance(Duration.ofMinutes(2)); // runs the periodic work of two minutes
 * }</pre>
 */
public final class VirtualTime implements InstantSource, Scheduler {

  private final List<Periodic> tasks = new ArrayList<>();
  private long nowMillis;

  /** Never goes back, unlike {@link #nowMillis}. */
  private long elapsedMillis;

  private VirtualTime(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  /**
   * Creates a time that starts at an instant: {@code VirtualTime.startingAt(Instant.EPOCH)}.
   *
   * @param start the instant, truncated to milliseconds
   * @return the time
   */
  public static VirtualTime startingAt(Instant start) {
    return new VirtualTime(
        Objects.requireNonNull(start, "start must not be null").toEpochMilli());
  }

  @Override
  public synchronized Instant instant() {
    return Instant.ofEpochMilli(nowMillis);
  }

  @Override
  public synchronized long millis() {
    return nowMillis;
  }

  @Override
  public synchronized long elapsedNanos() {
    return TimeUnit.MILLISECONDS.toNanos(elapsedMillis);
  }

  /**
   * Advances the time, or sets the clock back if the duration is negative. Runs the tasks that
   * become due, each at its own time, on the calling thread.
   *
   * @param duration the time to advance by
   */
  public synchronized void advance(Duration duration) {
    long millis = Objects.requireNonNull(duration, "duration must not be null").toMillis();
    long target = nowMillis + millis;
    long elapsed = elapsedMillis + Math.max(0, millis);
    while (true) {
      Periodic next =
          tasks.stream().min(Comparator.comparingLong(task -> task.dueMillis)).orElse(null);
      if (next == null || next.dueMillis > elapsed) {
        nowMillis = target;
        elapsedMillis = elapsed;
        return;
      }
      nowMillis += next.dueMillis - elapsedMillis;
      elapsedMillis = next.dueMillis;
      next.dueMillis += next.intervalMillis;
      next.work.run();
    }
  }

  @Override
  public synchronized Task every(Duration interval, Runnable work) {
    Objects.requireNonNull(interval, "interval must not be null");
    Objects.requireNonNull(work, "work must not be null");
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException("interval must be at least a millisecond: " + interval);
    }
    Periodic task = new Periodic(elapsedMillis + interval.toMillis(), interval.toMillis(), work);
    tasks.add(task);
    return () -> cancel(task);
  }

  private synchronized void cancel(Periodic task) {
    tasks.remove(task);
  }

  private static final class Periodic {

    private long dueMillis;
    private final long intervalMillis;
    private final Runnable work;

    Periodic(long dueMillis, long intervalMillis, Runnable work) {
      this.dueMillis = dueMillis;
      this.intervalMillis = intervalMillis;
      this.work = work;
    }
  }
}
