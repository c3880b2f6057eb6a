package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.Properties;
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

  /**
   * The first seed that found a bug when it was last searched, by the name of the bug. It is tried
   * before all others, so that a build need not search. A change of the simulator may make it out
   * of date; then the test searches again, and prints the line to correct.
   */
  private static final Properties KNOWN_SEEDS = knownSeeds();

  private static Properties knownSeeds() {
    Properties seeds = new Properties();
    try (InputStream file = PlantedBugTest.class.getResourceAsStream("seeds.properties")) {
      seeds.load(Objects.requireNonNull(file, "seeds.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seeds;
  }

  @ParameterizedTest
  @EnumSource
  void isFound(PlantedBug bug, @TempDir Path folder) throws Exception {
    MutatedCore mutated = MutatedCore.with(bug, folder);
    long known = Long.parseLong(KNOWN_SEEDS.getProperty(bug.name(), "1"));
    PrimitiveIterator.OfLong seeds = LongStream.concat(
            LongStream.of(known), LongStream.rangeClosed(1, SEEDS))
        .filter(seed -> bug.canShow(Scenario.of(seed)))
        .iterator();
    String violation = null;
    long seed = 0;
    while (violation == null && seeds.hasNext()) {
      seed = seeds.nextLong();
      violation = mutated.violation(seed);
    }
    assertThat(violation).as("what %s leads to", bug).isNotNull();
    if (seed != known) {
      System.err.printf("seeds.properties is out of date: %s=%d%n", bug, seed);
    }
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
