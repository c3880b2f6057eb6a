package io.tidegate.server.activity;

import io.tidegate.server.activity.FrequentKeys.Frequent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent identifiers of the last minute. It keeps the current and the previous minute,
 * and weights the previous one by the part of it that is less than a minute ago, as the limiter
 * does with its cells. Used by one thread at a time.
 */
final class Minute {

  /**
   * Identifiers that are kept of each minute. No count of a minute is too high by more than a 64th
   * of all requests of the namespace in that minute.
   */
  static final int CAPACITY = 64;

  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private long minute = Long.MIN_VALUE;
  private FrequentKeys<RecentLimit> current = new FrequentKeys<>(CAPACITY);
  private FrequentKeys<RecentLimit> previous = new FrequentKeys<>(CAPACITY);

  void add(String identifier, RecentLimit limit, long weight, long nowMillis) {
    rotate(nowMillis);
    current.add(identifier, limit.lower(current.value(identifier)), weight);
  }

  /** The limit of recent requests of an identifier; null if it is not among the frequent ones. */
  @Nullable
  RecentLimit recentLimit(String identifier) {
    RecentLimit last = current.value(identifier);
    RecentLimit before = previous.value(identifier);
    return last != null ? last.lower(before) : before;
  }

  /** The most frequent identifiers, the most frequent first. */
  List<FrequentIdentifier> top(int size, long nowMillis) {
    rotate(nowMillis);
    long left = MINUTE_MILLIS - Math.floorMod(nowMillis, MINUTE_MILLIS);
    Map<String, FrequentIdentifier> all = new HashMap<>();
    for (Frequent<RecentLimit> key : previous.all()) {
      long count = key.count() * left / MINUTE_MILLIS;
      if (count > 0) {
        all.put(key.key(), identifier(key, count, key.error() * left / MINUTE_MILLIS));
      }
    }
    for (Frequent<RecentLimit> key : current.all()) {
      FrequentIdentifier before = all.get(key.key());
      all.put(
          key.key(),
          before == null
              ? identifier(key, key.count(), key.error())
              : identifier(key, key.count() + before.perMinute(), key.error() + before.error()));
    }
    return all.values().stream()
        .sorted(Comparator.comparingLong(FrequentIdentifier::perMinute)
            .reversed()
            .thenComparing(FrequentIdentifier::identifier))
        .limit(size)
        .toList();
  }

  private static FrequentIdentifier identifier(Frequent<RecentLimit> key, long count, long error) {
    return new FrequentIdentifier(
        key.key(), count, error, key.value().limit(), key.value().windowMillis());
  }

  private void rotate(long nowMillis) {
    long now = Math.floorDiv(nowMillis, MINUTE_MILLIS);
    if (now == minute || now == minute - 1) {
      return; // also if the clock was set back a little: the minute then lasts longer
    }
    previous = now == minute + 1 ? current : new FrequentKeys<>(CAPACITY);
    current = new FrequentKeys<>(CAPACITY);
    minute = now;
  }

  /**
   * The lowest limit that requests of an identifier were compared with, in the window of the last
   * one. The lowest, because requests that only look may have a limit that is out of reach.
   */
  record RecentLimit(long limit, long windowMillis) {

    /** This limit, or an earlier one of the same window if that is lower. */
    RecentLimit lower(@Nullable RecentLimit earlier) {
      return earlier != null && earlier.windowMillis == windowMillis && earlier.limit < limit
          ? earlier
          : this;
    }
  }
}
