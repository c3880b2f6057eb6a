package io.tidegate.global;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbers for the names of other regions, so that a counter can keep their counts in an array. */
final class RegionNumbers {

  /** More regions than any user has; beyond it, something else has written the counts. */
  static final int MAX_REGIONS = 100;

  private final Map<String, Integer> byName = new ConcurrentHashMap<>();
  private final AtomicInteger last = new AtomicInteger();

  /** The number of a region, from 1; 0 if there are too many. */
  int number(String name) {
    Integer known = byName.get(name);
    if (known != null) {
      return known;
    }
    return byName.size() >= MAX_REGIONS
        ? 0
        : byName.computeIfAbsent(name, fresh -> last.incrementAndGet());
  }
}
