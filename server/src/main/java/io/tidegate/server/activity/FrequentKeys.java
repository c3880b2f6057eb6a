package io.tidegate.server.activity;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent keys of a stream, in bounded memory: the space-saving algorithm.
 *
 * <p>It keeps a fixed number of keys. A new key replaces the one with the lowest count and inherits
 * that count, which becomes the error of the new key. So a count is never too low, too high by at
 * most its error, and no error exceeds the sum of all weights divided by the number of keys kept.
 * Every key whose true count is higher than that is among them.
 *
 * <p>Used by one thread at a time.
 *
 * @param <V> what is kept beside each key
 */
final class FrequentKeys<V> {

  /**
   * A key and an upper bound of its count.
   *
   * @param value what was last kept beside the key
   * @param error how much of the count may belong to keys that this one replaced
   */
  record Frequent<V>(String key, V value, long count, long error) {}

  private static final class Entry<V> {
    private V value;
    private long count;
    private final long error;

    Entry(V value, long count, long error) {
      this.value = value;
      this.count = count;
      this.error = error;
    }
  }

  private final int capacity;
  private final Map<String, Entry<V>> entries = new HashMap<>();

  /**
   * Creates an object without keys.
   *
   * @param capacity number of keys to keep. A new key compares all of them, which takes less than a
   *     microsecond for a hundred
   */
  FrequentKeys(int capacity) {
    this.capacity = capacity;
  }

  /** Adds to the count of a key. */
  void add(String key, V value, long weight) {
    Entry<V> known = entries.get(key);
    if (known != null) {
      known.count += weight;
      known.value = value;
    } else if (entries.size() < capacity) {
      entries.put(key, new Entry<>(value, weight, 0));
    } else {
      Map.Entry<String, Entry<V>> lowest = lowest();
      long inherited = lowest.getValue().count;
      entries.remove(lowest.getKey());
      entries.put(key, new Entry<>(value, inherited + weight, inherited));
    }
  }

  private Map.Entry<String, Entry<V>> lowest() {
    Map.Entry<String, Entry<V>> lowest = null;
    for (Map.Entry<String, Entry<V>> entry : entries.entrySet()) {
      if (lowest == null || entry.getValue().count < lowest.getValue().count) {
        lowest = entry;
      }
    }
    if (lowest == null) {
      throw new IllegalStateException("capacity must be positive: " + capacity);
    }
    return lowest;
  }

  /** What was last kept beside a key; null if the key is not kept. */
  @Nullable
  V value(String key) {
    Entry<V> known = entries.get(key);
    return known == null ? null : known.value;
  }

  /** All keys that are kept, the most frequent first. */
  List<Frequent<V>> all() {
    return entries.entrySet().stream()
        .map(entry -> new Frequent<>(
            entry.getKey(), entry.getValue().value, entry.getValue().count, entry.getValue().error))
        .sorted(Comparator.<Frequent<V>>comparingLong(Frequent::count)
            .reversed()
            .thenComparing(Frequent::key))
        .toList();
  }
}
