package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who checks the checker: bugs that are put into the shipped code are found. */
@ExtendWith(Quiet.class)
class PlantedBugTest {

  private static final long SEEDS = Long.getLong("tidegate.seeds", 1_000);

  @ParameterizedTest
  @EnumSource
  void isFound(PlantedBug bug, @TempDir Path folder) throws Exception {
    MutatedCore mutated = MutatedCore.with(bug, folder);
    String violation = null;
    long seed = 0;
    while (violation == null && seed < SEEDS) {
      violation = mutated.violation(++seed);
    }
    assertThat(violation).as("what %s leads to", bug).isNotNull();
    System.out.println(bug + " was found by seed " + seed + ": " + violation);
  }
}
