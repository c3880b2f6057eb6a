package io.tidegate.benchmarks;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;

/** What is worth telling other regions, by three rules that are compared. */
enum GlobalPolicy {
  RFC("floor 0.5, 10 s (RFC)", PushPolicy.floor(0.5, Duration.ofSeconds(10))),
  LOWER_FLOOR("floor 0.2, 5 s", PushPolicy.floor(0.2, Duration.ofSeconds(5))),
  ADAPTIVE("adaptive, 1 s", PushPolicy.adaptive());

  private final String label;
  private final PushPolicy policy;

  GlobalPolicy(String label, PushPolicy policy) {
    this.label = label;
    this.policy = policy;
  }

  String label() {
    return label;
  }

  /** Publishes windows of any length: those of a quick run are shorter than ten intervals. */
  PushPolicy policy() {
    return policy.withShortestWindow(Duration.ZERO);
  }
}
