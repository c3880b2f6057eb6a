package io.tidegate.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The descriptors of one level of a file, indexed for the search. Not changed once it is built. */
final class Descriptors {

  private final Map<String, OfKey> keys = new HashMap<>();

  /** Adds a descriptor. Returns the one that it duplicates, which is an error; null if none. */
  @Nullable
  Descriptor add(Descriptor descriptor) {
    return keys.computeIfAbsent(descriptor.key(), key -> new OfKey()).add(descriptor);
  }

  /** Returns the descriptor for an entry; null if there is none. */
  @Nullable
  Descriptor find(Entry entry) {
    OfKey ofKey = keys.get(entry.key());
    return ofKey == null ? null : ofKey.find(entry.value());
  }

  boolean hasKey(String key) {
    return keys.containsKey(key);
  }

  /** The descriptors of one key. */
  private static final class OfKey {

    /** By value, wildcards included: a request may have the text of a wildcard as its value. */
    private final Map<String, Descriptor> values = new HashMap<>();

    /** In the order of the file. */
    private final List<Descriptor> wildcards = new ArrayList<>();

    private @Nullable Descriptor anyValue;

    @Nullable
    Descriptor add(Descriptor descriptor) {
      if (descriptor.matchesAnyValue()) {
        Descriptor before = anyValue;
        anyValue = descriptor;
        return before;
      }
      Descriptor before = values.putIfAbsent(descriptor.value(), descriptor);
      if (before == null && descriptor.isWildcard()) {
        wildcards.add(descriptor);
      }
      return before;
    }

    @Nullable
    Descriptor find(String value) {
      Descriptor exact = values.get(value);
      if (exact != null) {
        return exact;
      }
      for (int i = 0; i < wildcards.size(); i++) {
        if (wildcards.get(i).matchesWildcard(value)) {
          return wildcards.get(i);
        }
      }
      return anyValue;
    }
  }
}
