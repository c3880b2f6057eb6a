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
    Set<ChaosPolicy> policies = new HashSet<>();
    Set<Long> windows = new HashSet<>();
    Set<Integer> parts = new HashSet<>();
    List<Scenario> plans =
        LongStream.rangeClosed(1, SEEDS).mapToObj(Scenario::of).toList();
    plans.forEach(plan -> {
      plan.faults().forEach(fault -> kinds.add(fault.kind()));
      policies.add(plan.policy());
      plan.subjects().forEach(subject -> windows.add(subject.series().scope().windowMillis()));
      parts.add(plan.parts());
    });
    assertThat(kinds).containsExactlyInAnyOrder(Fault.Kind.values());
    assertThat(policies).containsExactlyInAnyOrder(ChaosPolicy.values());
    assertThat(windows).contains(1_000L, 86_400_000L, 2_592_000_000L);
    assertThat(parts).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(plans)
        .as("series that the patrol does not cover")
        .anyMatch(plan -> plan.fillers() >= 3_000);
    assertThat(plans)
        .as("a long quiet time")
        .anyMatch(plan -> plan.lull() != null && plan.lull().nanos() >= 300 * Scenario.SECOND);
  }
}
