package io.tidegate.global;

import io.tidegate.spi.Scheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The other regions that have been heard of: a number for each, and how many of them are alive. */
final class Regions {

  private static final class Known {

    private final int number;
    private volatile long heardNanos;

    Known(int number) {
      this.number = number;
    }
  }

  private final Map<String, Known> byName = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final Scheduler scheduler;

  Regions(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The number of a region that has just been heard of; -1 if there are too many. */
  int heardOf(String name) {
    Known known = byName.get(name);
    if (known == null) {
      if (byName.size() >= Tuning.MOST_REGIONS) {
        return -1;
      }
      known = byName.computeIfAbsent(name, fresh -> new Known(numbers.getAndIncrement()));
    }
    known.heardNanos = scheduler.elapsedNanos();
    return known.number;
  }

  /** How many regions there are, this one among them. */
  int count() {
    long now = scheduler.elapsedNanos();
    long alive = byName.values().stream()
        .filter(region -> now - region.heardNanos < Tuning.REGION_LIFE.toNanos())
        .count();
    return (int) Math.max(2, alive + 1);
  }
}
