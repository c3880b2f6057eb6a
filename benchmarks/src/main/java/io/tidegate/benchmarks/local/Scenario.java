package io.tidegate.benchmarks;

/** A pattern of requests. */
public enum Scenario {
  HOT("one hot key"),
  ZIPF("zipf"),
  UNIFORM("uniform"),
  DENIED("denied key");

  private final String label;

  Scenario(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  boolean hasManyKeys() {
    return this == ZIPF || this == UNIFORM;
  }

  boolean isDenied() {
    return this == DENIED;
  }

  Quota quota() {
    return isDenied() ? Quota.SCANT : Quota.AMPLE;
  }

  /** How many identifiers the limiter knows when {@code keys} are wanted. */
  int knownKeys(int keys) {
    return hasManyKeys() ? keys : 1;
  }

  /** Who asks, in order of arrival; as many as a power of two. */
  String[] arrivals(int keys) {
    return switch (this) {
      case HOT, DENIED -> Identifiers.single();
      case ZIPF -> Identifiers.zipf(keys);
      case UNIFORM -> Identifiers.uniform(keys);
    };
  }
}
