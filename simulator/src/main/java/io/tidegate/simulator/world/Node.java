package io.tidegate.simulator.world;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One life of a process: a limiter, with a clock that may be wrong and a scheduler that stops when
 * it does.
 */
public final class Node implements InstantSource, Scheduler {

  /** When virtual time begins: at the beginning of a minute, an hour and a day. */
  public static final long EPOCH_MILLIS = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Timeline timeline;
  private final SimulatedRegion region;
  private final String name;
  private final long startedNanos;
  private @Nullable RateLimiter limiter;
  private List<NetworkLink> toOrigin = List.of();
  private @Nullable NetworkLink toDatabase;

  private long offsetMillis;

  /** How many milliseconds its clock gains in a million. */
  private long partsPerMillion;

  private boolean dead;
  private boolean frozen;
  private long thawedNanos;

  /** What should have happened while it was frozen. */
  private final List<Runnable> missed = new ArrayList<>();

  Node(Timeline timeline, SimulatedRegion region, String name) {
    this.timeline = timeline;
    this.region = region;
    this.name = name;
    this.startedNanos = timeline.nowNanos();
  }

  void begin(RateLimiter limiter, List<NetworkLink> toOrigin, @Nullable NetworkLink toDatabase) {
    this.limiter = limiter;
    this.toOrigin = toOrigin;
    this.toDatabase = toDatabase;
  }

  public SimulatedRegion region() {
    return region;
  }

  public String name() {
    return name;
  }

  public long startedNanos() {
    return startedNanos;
  }

  public RateLimiter limiter() {
    return Objects.requireNonNull(limiter);
  }

  /** The way to one part of the origin. */
  public NetworkLink toOrigin(int part) {
    return toOrigin.get(part);
  }

  public NetworkLink toDatabase() {
    return Objects.requireNonNull(toDatabase);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    long elapsed = timeline.nowNanos() / NANOS_PER_MILLI;
    return EPOCH_MILLIS + elapsed + elapsed * partsPerMillion / 1_000_000 + offsetMillis;
  }

  /** Sets the clock: forward, or back if it is negative. */
  public void stepClock(long millis) {
    offsetMillis += millis;
  }

  /** Lets the clock go too fast by so many parts of a million, or too slowly. */
  public void driftClock(long partsPerMillion) {
    long before = millis();
    this.partsPerMillion = partsPerMillion;
    offsetMillis += before - millis();
  }

  @Override
  public long elapsedNanos() {
    return timeline.nowNanos();
  }

  @Override
  public Task every(Duration interval, Runnable work) {
    Ticking ticking = new Ticking(interval.toNanos(), work);
    timeline.after(interval.toNanos(), ticking);
    return () -> ticking.cancelled = true;
  }

  /** Does what the node has to do: now, or when it is not frozen any more, or never. */
  public void run(Runnable work) {
    if (dead) {
      return;
    }
    if (frozen) {
      missed.add(work);
    } else {
      work.run();
    }
  }

  /** Ends it, as a kill -9 does: nothing more is done, and nobody is told. */
  public void crash() {
    dead = true;
    missed.clear();
  }

  public boolean isDead() {
    return dead;
  }

  /** Whether it can be asked. */
  public boolean isRunning() {
    return !dead && !frozen;
  }

  /** Stops it for a while, as a long collection of garbage does. */
  public void freeze() {
    frozen = true;
  }

  /** Lets it go on: what has arrived meanwhile is seen now. */
  public void thaw() {
    frozen = false;
    thawedNanos = timeline.nowNanos();
    List<Runnable> now = List.copyOf(missed);
    missed.clear();
    now.forEach(this::run);
  }

  /** When it last went on after it had been stopped; 0 if it never was. */
  public long thawedNanos() {
    return thawedNanos;
  }

  private final class Ticking implements Runnable {

    private final long intervalNanos;
    private final Runnable work;
    private boolean cancelled;

    Ticking(long intervalNanos, Runnable work) {
      this.intervalNanos = intervalNanos;
      this.work = work;
    }

    @Override
    public void run() {
      if (dead || cancelled) {
        return;
      }
      if (frozen) {
        missed.add(this);
        return;
      }
      work.run();
      timeline.after(intervalNanos, this);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
