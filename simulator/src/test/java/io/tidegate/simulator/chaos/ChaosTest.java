package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All guarantees hold under random faults. More seeds: {@code ./tidegate simulate chaos}. */
@ExtendWith(Quiet.class)
class ChaosTest {

  private static final long SEEDS = Long.getLong("tidegate.seeds", 150);

  @Test
  void everyGuaranteeHoldsAfterEveryEvent() {
    List<String> violations = LongStream.rangeClosed(1, SEEDS)
        .parallel()
        .mapToObj(seed -> ChaosRun.of(seed, null))
        .filter(result -> result.violation() != null)
        .map(result -> "seed " + result.seed() + ": " + result.violation())
        .toList();
    assertThat(violations).isEmpty();
  }

  @Test
  void theSeedsOfABuildCoverAllFaultsAndPolicies() {
    Set<FaultKind> kinds = new HashSet<>();
    Set<Scenario.Policy> policies = new HashSet<>();
    Set<Long> windows = new HashSet<>();
    Set<Integer> parts = new HashSet<>();
    List<Scenario> scenarios =
        LongStream.rangeClosed(1, SEEDS).mapToObj(Scenario::of).toList();
    scenarios.forEach(scenario -> {
      scenario.faults().forEach(fault -> kinds.add(fault.kind()));
      policies.add(scenario.policy());
      scenario
          .subjects()
          .forEach(subject -> windows.add(subject.series().scope().windowMillis()));
      parts.add(scenario.parts());
    });
    assertThat(kinds).containsExactlyInAnyOrder(FaultKind.values());
    assertThat(policies).containsExactlyInAnyOrder(Scenario.Policy.values());
    assertThat(windows).contains(1_000L, 86_400_000L, 2_592_000_000L);
    assertThat(parts).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(scenarios)
        .as("series that the loss check does not reach")
        .anyMatch(scenario -> scenario.fillers() >= 3_000);
    assertThat(scenarios)
        .as("a long lull")
        .anyMatch(scenario ->
            scenario.lull() != null && scenario.lull().nanos() >= 300 * Scenario.SECOND);
  }
}
