package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the simulator finds bugs: each planted one must violate a guarantee. */
@ExtendWith(Quiet.class)
class PlantedBugTest {

  private static final long SEEDS = 1_000;

  @ParameterizedTest
  @EnumSource
  void isFound(PlantedBug bug, @TempDir Path folder) throws Exception {
    MutatedCore mutated = MutatedCore.with(bug, folder);
    List<Long> seeds = LongStream.rangeClosed(1, SEEDS)
        .filter(seed -> bug.canShow(Scenario.of(seed)))
        .boxed()
        .toList();
    String violation = null;
    for (int i = 0; violation == null && i < seeds.size(); i++) {
      violation = mutated.violation(seeds.get(i));
    }
    assertThat(violation).as("what %s leads to", bug).isNotNull();
  }

  /** Keeps bugs that are hard to find from being deleted. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUSH",
        "PULL",
        "IMPORTS",
        "READER",
        "NODE_WITHOUT_ORIGIN",
        "REPLAY",
        "MERGE",
        "ROTATION",
        "BATCH",
        "EVICT",
        "ANSWERS",
        "FAIL",
        "CLOCK",
        "LOSS_CHECK"
      })
  void everyPartHasAPlantedBug(String part) {
    assertThat(PlantedBug.values()).anyMatch(bug -> bug.name().startsWith(part));
  }
}
