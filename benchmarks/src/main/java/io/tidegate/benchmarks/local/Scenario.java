package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Quota;

/** A pattern of requests. */
public enum Scenario {
  HOT("one hot key"),
  ZIPF("zipf"),
  UNIFORM("uniform"),
  DENIED("denied key");

  final String label;

  Scenario(String label) {
    this.label = label;
  }

  boolean hasManyKeys() {
    return this == ZIPF || this == UNIFORM;
  }

  Quota quota() {
    return this == DENIED ? Quota.SCANT : Quota.AMPLE;
  }

  /** The identifiers of the requests, in order of arrival; their number is a power of two. */
  String[] arrivals(int keys) {
    return switch (this) {
      case HOT, DENIED -> Identifiers.single();
      case ZIPF -> Identifiers.zipf(keys);
      case UNIFORM -> Identifiers.uniform(keys);
    };
  }
}
