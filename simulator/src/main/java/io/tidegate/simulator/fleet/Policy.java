package io.tidegate.simulator.fleet;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What regions tell each other, by rules that are compared. */
enum Policy {
  ADAPTIVE("adaptive, 1 s", PushPolicy.adaptive()),
  ADAPTIVE5("adaptive, 5 s", PushPolicy.adaptive(Duration.ofSeconds(5))),
  RFC(
      "floor 0.5, 10 s (RFC)",
      PushPolicy.floor(0.5, Duration.ofSeconds(10)).withShortestWindow(Duration.ofMinutes(1)));

  private final String label;
  private final PushPolicy policy;

  Policy(String label, PushPolicy policy) {
    this.label = label;
    this.policy = policy;
  }

  String label() {
    return label;
  }

  PushPolicy policy() {
    return policy;
  }

  /** The policy with a name, as it is asked for. */
  static Optional<Policy> of(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }
}
