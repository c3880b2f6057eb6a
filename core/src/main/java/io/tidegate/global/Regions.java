package io.tidegate.global;

import io.tidegate.spi.Scheduler;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The other regions with counts: a number for each, and how many of them are active. */
final class Regions {

  /** More regions than any user has; beyond it, something else has written the counts. */
  static final int MAX_REGIONS = 100;

  private static final class Known {

    private final int number;
    private volatile long countedNanos;

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

  /** The number of a region of which a count was just pulled; empty if there are too many. */
  OptionalInt number(String name) {
    Known known = byName.get(name);
    if (known == null) {
      if (byName.size() >= MAX_REGIONS) {
        return OptionalInt.empty();
      }
      known = byName.computeIfAbsent(name, fresh -> new Known(numbers.getAndIncrement()));
    }
    known.countedNanos = scheduler.elapsedNanos();
    return OptionalInt.of(known.number);
  }

  /** Number of active regions, including this one. */
  int count() {
    long now = scheduler.elapsedNanos();
    long active = byName.values().stream()
        .filter(region -> now - region.countedNanos < GlobalTimings.REGION_LIFETIME.toNanos())
        .count();
    return (int) Math.max(2, active + 1);
  }
}
