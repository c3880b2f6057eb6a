package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever goes wrong, what is guaranteed holds: more seeds with {@code ./tidegate simulate chaos}.
 */
@ExtendWith(Quiet.class)
class ChaosTest {

  private static final long SEEDS = Long.getLong("tidegate.seeds", 300);

  @Test
  void everyGuaranteeHoldsAfterEveryEventOfEverySeed() {
    List<String> violations = LongStream.rangeClosed(1, SEEDS)
        .parallel()
        .mapToObj(seed -> ChaosRun.of(seed, null))
        .filter(result -> result.violation() != null)
        .map(result -> "seed " + result.seed() + ": " + result.violation())
        .toList();
    assertThat(violations).isEmpty();
  }

  @Test
  void theSeedsOfABuildHaveEveryKindOfFaultAndPolicy() {
    Set<Fault.Kind> kinds = new HashSet<>();
    Set<Policy> policies = new HashSet<>();
    LongStream.rangeClosed(1, SEEDS).mapToObj(Plan::of).forEach(plan -> {
      plan.faults().forEach(fault -> kinds.add(fault.kind()));
      policies.add(plan.policy());
    });
    assertThat(kinds).containsExactlyInAnyOrder(Fault.Kind.values());
    assertThat(policies).containsExactlyInAnyOrder(Policy.values());
  }
}
