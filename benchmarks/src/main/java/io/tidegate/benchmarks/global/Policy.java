package io.tidegate.benchmarks.global;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;

/** The push policies that are compared. */
enum Policy {
  REFERENCE("floor 0.5, 10 s (reference)", PushPolicy.floor(0.5, Duration.ofSeconds(10))),
  LOWER_FLOOR("floor 0.2, 5 s", PushPolicy.floor(0.2, Duration.ofSeconds(5))),
  ADAPTIVE("adaptive, 0.25 s", PushPolicy.adaptive());

  final String label;

  /** The policy for windows of any length, because those of a quick run are short. */
  @SuppressWarnings("ImmutableEnumChecker") // a policy has no state
  final PushPolicy policy;

  Policy(String label, PushPolicy policy) {
    this.label = label;
    this.policy = policy.withShortestWindow(Duration.ZERO);
  }
}
