package io.tidegate.simulator.world;

import io.tidegate.RateLimiter;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs a limiter, from its start to its crash. The node is the clock and the
 * scheduler of its limiter: the clock may be wrong, and the scheduler stops while the node is
 * frozen.
 */
public final class Node implements InstantSource, Scheduler {

  /** Start of virtual time: the beginning of a minute, an hour and a day. */
  public static final long EPOCH_MILLIS = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();

  private final Timeline timeline;
  private final SimulatedRegion region;
  private final String name;
  private final long startedNanos;
  private @Nullable RateLimiter limiter;
  private List<NetworkLink> toOrigin = List.of();
  private @Nullable NetworkLink toDatabase;

  private long offsetMillis;

  /** Drift of the clock: milliseconds gained per million. */
  private long partsPerMillion;

  private boolean dead;
  private boolean frozen;
  private long thawedNanos;

  /** Events that arrived while the node was frozen. */
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

  public boolean isIn(SimulatedRegion other) {
    return region.name().equals(other.name());
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

  /** The link to one part of the origin. */
  public NetworkLink toOrigin(int part) {
    return toOrigin.get(part);
  }

  public NetworkLink toDatabase() {
    return Objects.requireNonNull(toDatabase);
  }

  public void healLinks() {
    toOrigin.forEach(NetworkLink::heal);
    toDatabase().heal();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    long elapsed = timeline.nowNanos() / 1_000_000;
    return EPOCH_MILLIS + elapsed + elapsed * partsPerMillion / 1_000_000 + offsetMillis;
  }

  /** Sets the clock forward, or back if the argument is negative. */
  public void stepClock(long millis) {
    offsetMillis += millis;
  }

  /** Lets the clock run fast by this many parts per million, or slow if negative. */
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
    AtomicBoolean cancelled = new AtomicBoolean();
    repeat(interval.toNanos(), work, cancelled);
    return () -> cancelled.set(true);
  }

  private void repeat(long intervalNanos, Runnable work, AtomicBoolean cancelled) {
    timeline.after(
        intervalNanos,
        () -> run(() -> {
          if (!cancelled.get()) {
            work.run();
            repeat(intervalNanos, work, cancelled);
          }
        }));
  }

  /** Runs an event of this node: now, when it thaws if it is frozen, never if it is dead. */
  public void run(Runnable work) {
    if (frozen && !dead) {
      missed.add(work);
    } else if (!dead) {
      work.run();
    }
  }

  /** Ends the process without a shutdown, like {@code kill -9}. */
  public void crash() {
    dead = true;
    missed.clear();
  }

  public boolean isDead() {
    return dead;
  }

  /** Whether the node can answer requests. */
  public boolean isRunning() {
    return !dead && !frozen;
  }

  /** Suspends the node, like a long garbage collection. */
  public void freeze() {
    frozen = true;
  }

  /** Resumes the node, which first handles the events that arrived while it was frozen. */
  public void thaw() {
    frozen = false;
    thawedNanos = timeline.nowNanos();
    List<Runnable> now = List.copyOf(missed);
    missed.clear();
    now.forEach(this::run);
  }

  /** Time of the last thaw; 0 if there was none. */
  public long thawedNanos() {
    return thawedNanos;
  }

  @Override
  public String toString() {
    return name;
  }
}
